import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { becomesReady } from './api-client.js';
import { postgresOn } from './embedded-server.js';
import { MillraceProcess, ROOT } from './millrace-process.js';

const FILES_OF_PACKAGES_AND_PAGE = ['/icon.svg', '/docs/swagger-ui.css', '/admin/queues'];
const WAIT_OPTIONS = { timeout: 20_000, interval: 100 };

it('starts with npm start, and leaves nothing running after npm is stopped', { timeout: 120_000 }, async () => {
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
  const address = await npm.address();
  await becomesReady(address);
  expect(await postgresOn(dataDir)).toBeDefined();
  const authorization = `Bearer ${readFileSync(join(dataDir, 'admin-key'), 'utf8').trim()}`;
  for (const path of FILES_OF_PACKAGES_AND_PAGE) {
    expect(await fetch(`${address}${path}`, { headers: { authorization } })).toMatchObject({ status: 200 });
  }

  npm.send('SIGTERM');

  await npm.printed(/"stopped"/);
  await expect.poll(() => npm.groupIsRunning(), WAIT_OPTIONS).toBe(false);
  expect(await postgresOn(dataDir)).toBeUndefined();
});
