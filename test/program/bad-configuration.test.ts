import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { postgresOn } from './embedded-server.js';
import { type Environment, startMillrace } from './millrace-process.js';

vi.setConfig({ testTimeout: 60_000 });

/** Promised are 10 s; other test files want their share of the machine. */
const TIMEOUT_MS = 40_000;

let dataDir: string;
beforeEach(() => {
  dataDir = newDataFolder();
});

/** What Millrace says before it gives up, which must be all it leaves behind. */
async function complaintAbout(environment: Environment): Promise<string> {
  const millrace = startMillrace({ MILLRACE_DATA_DIR: dataDir, PORT: '0', ...environment });
  const tooLong = setTimeout(() => millrace.send('SIGKILL'), TIMEOUT_MS);
  expect(await millrace.ended, millrace.stderr).toEqual({ code: 1, signal: null });
  clearTimeout(tooLong);
  expect(`${millrace.stdout}${millrace.stderr}`).not.toMatch(/^ {4}at /m);
  expect(millrace.groupIsRunning()).toBe(false);
  expect(await postgresOn(dataDir)).toBeUndefined();
  return millrace.stderr;
}

/** A server that takes connections and says nothing. */
async function silentPort(): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

const NOBODY_LISTENS = '127.0.0.1:1';

it('reports all errors at once, with what is expected, and shows no secret', async () => {
  const complaint = await complaintAbout({
    PORT: '70000',
    MILLRACE_ROLES: 'api,boss',
    DATABASE_URL: 'mysql://me:hunter2@db',
    MILLRACE_SHUTDOWN: 'soon',
  });
  expect(complaint.split('\n')).toEqual([
    'The configuration has 4 errors:',
    '  PORT: got "70000", expected a whole number from 0 to 65535',
    '  MILLRACE_ROLES: got "api,boss", expected a comma-separated list of api, scheduler, worker',
    '  MILLRACE_SHUTDOWN: got "soon", expected a duration from 0s to 1h',
    '  DATABASE_URL: got (hidden), expected an address such as postgres://host:port',
    '',
  ]);
});

it('says once which variables of other programs it uses, and which it ignores', async () => {
  const millrace = startMillrace({
    MILLRACE_DATA_DIR: dataDir,
    PORT: '0',
    REDIS_URL: `redis://${NOBODY_LISTENS}`,
    RABBITMQ_HOST: 'broker',
    RABBITMQ_PASSWORD: 'hunter2',
    WORKER_BATCH_SIZE: '50',
    MILLRACE_IMPORT_BATCH: '20',
  });
  await millrace.ended;
  const lines = millrace.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ variables }) => variables)).toMatchObject([
    { event: 'configuration_of_other_programs', variables: { RABBITMQ_URL: ['RABBITMQ_HOST', 'RABBITMQ_PASSWORD'] } },
    { event: 'variables_ignored', msg: 'Variables are ignored, because MILLRACE_IMPORT_BATCH has another value' },
  ]);
  expect(`${millrace.stdout}${millrace.stderr}`).not.toContain('hunter2');
});

it('says that nobody answers at REDIS_URL', async () => {
  expect(await complaintAbout({ REDIS_URL: `redis://:hunter2@${NOBODY_LISTENS}` })).toBe(
    `REDIS_URL: cannot use Redis at redis://***@${NOBODY_LISTENS}: connect ECONNREFUSED ${NOBODY_LISTENS}\n`,
  );
});

it('says which data folder it cannot write to', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-file-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'file');
  await writeFile(file, '');
  const path = join(file, 'below');
  const complaint = await complaintAbout({ MILLRACE_DATA_DIR: path });
  expect(complaint).toMatch(/^MILLRACE_DATA_DIR: cannot write to the data folder .*\n$/);
  expect(complaint).toContain(path);
});

it('says that the port is taken, and stops the database that it had started', async () => {
  const port = await silentPort();
  expect(await complaintAbout({ PORT: String(port) })).toBe(
    `cannot listen on 127.0.0.1:${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}; set HOST and PORT\n`,
  );
});
