import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.js';
import { createLog } from '../../src/platform/log/log.js';
import { newDataFolder } from '../harness/data-folder.js';
import { becomesReady, statusOf } from './api-client.js';
import { startMillrace } from './millrace-process.js';

vi.setConfig({ testTimeout: 300_000 });

const ERROR = 50;
const WARN = 40;
const MAX_ERRORS = 3;
const MAX_WARNINGS = 10;

const log = createLog({ logLevel: 'silent', logFormat: 'json' });

async function startServer(dataDir: string) {
  const server = await startEmbeddedPostgres({ dataDir, log });
  onTestFinished(() => server.stop());
  return server;
}

function linesOf(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

it('logs an outage of PostgreSQL in two lines, and no statement or key, however much fails meanwhile', async () => {
  const serverFolder = newDataFolder();
  const server = await startServer(serverFolder);
  const millrace = startMillrace({ DATABASE_URL: server.url, MILLRACE_DATA_DIR: newDataFolder(), PORT: '0' });
  const address = await millrace.address();
  const key = await millrace.adminKey();
  await becomesReady(address);
  const me = () => statusOf(`${address}/api/v1/users/me`, { key });
  expect(await me()).toBe(200);
  const before = linesOf(millrace.stdout).length;

  await server.stop();
  for (let refused = 0; refused < 40; ) {
    if ((await me()) === 503) refused += 1;
    await sleep(100);
  }
  expect((await startServer(serverFolder)).url).toBe(server.url);
  await millrace.printed(/postgresql_connection_restored/);
  await vi.waitFor(async () => expect(await me()).toBe(200), { timeout: 20_000 });
  await becomesReady(address);

  const lines = linesOf(millrace.stdout).slice(before);
  const of = (event: string) => lines.filter((line) => line.event === event);
  expect(of('postgresql_connection_lost')).toMatchObject([
    { level: ERROR, msg: 'PostgreSQL connection lost, retrying' },
  ]);
  const [restored] = of('postgresql_connection_restored');
  expect(restored).toMatchObject({ msg: 'PostgreSQL connection restored' });
  expect(restored?.suppressed).toBeGreaterThan(20);
  expect(lines.filter(({ level }) => level === ERROR).length).toBeLessThanOrEqual(MAX_ERRORS);
  expect(lines.filter(({ level }) => level === WARN).length).toBeLessThanOrEqual(MAX_WARNINGS);
  expect(millrace.stdout).not.toMatch(/params|Failed query|\$1|[0-9a-f]{64}/);
});
