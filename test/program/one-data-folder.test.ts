import { expect, it, vi } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { becomesReady } from './api-client.js';
import { postgresOn } from './embedded-server.js';
import { startMillrace } from './millrace-process.js';

vi.setConfig({ testTimeout: 60_000 });

it('keeps a second start off the data folder, tells it where the first one is, and harms nothing', async () => {
  const environment = { MILLRACE_DATA_DIR: newDataFolder(), PORT: '0' };
  const first = startMillrace(environment);
  const address = await first.address();
  const server = await postgresOn(environment.MILLRACE_DATA_DIR);

  const second = startMillrace(environment);

  expect(await second.ended).toEqual({ code: 1, signal: null });
  expect(second.stderr).toBe(
    `Millrace already runs on ${environment.MILLRACE_DATA_DIR} (process ${first.pid}) at ${address}\n`,
  );
  expect(await postgresOn(environment.MILLRACE_DATA_DIR)).toEqual(server);
  await becomesReady(address);
  expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null });
});
