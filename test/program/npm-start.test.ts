import { expect, it } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { becomesReady } from './api-client.js';
import { postgresOn } from './embedded-server.js';
import { MillraceProcess, ROOT } from './millrace-process.js';

const PATIENCE = { timeout: 20_000, interval: 100 };

it('comes up with npm start, and leaves nothing running when npm is told to stop', { timeout: 120_000 }, async () => {
  const dataDir = newDataFolder();
  // Empty ones win over those of a `.env` that somebody may have here.
  const environment = {
    MILLRACE_DATA_DIR: dataDir,
    PORT: '0',
    HOST: '',
    DATABASE_URL: '',
    REDIS_URL: '',
    MILLRACE_ROLES: '',
  };
  const npm = new MillraceProcess(['npm', 'start'], environment, { cwd: ROOT });
  await becomesReady(await npm.address());
  expect(await postgresOn(dataDir)).toBeDefined();

  npm.send('SIGTERM');

  await npm.printed(/"stopped"/);
  await expect.poll(() => npm.groupIsRunning(), PATIENCE).toBe(false);
  expect(await postgresOn(dataDir)).toBeUndefined();
});
