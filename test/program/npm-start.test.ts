import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { becomesReady } from './api-client.js';
import { postgresOn } from './embedded-server.js';
import { MillraceProcess, ROOT } from './millrace-process.js';

vi.setConfig({ testTimeout: 120_000 });

const FILES_OF_PACKAGES_AND_PAGE = ['/icon.svg', '/docs/swagger-ui.css', '/admin/queues'];
const WAIT_OPTIONS = { timeout: 20_000, interval: 100 };
const CLEAN = { code: 0, signal: null };

/** Runs `npm start` on an empty data folder until it answers. */
async function startWithNpm() {
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
  return { npm, address, dataDir };
}

describe.runIf(process.platform !== 'win32')('npm start', () => {
  it.each([
    ['npm is asked to stop', (npm: MillraceProcess) => npm.send('SIGTERM')],
    ['Ctrl+C is pressed', (npm: MillraceProcess) => npm.sendToGroup('SIGINT')],
  ])('starts, and ends with 0 and leaves nothing running when %s', async (_name, stop) => {
    const { npm, address, dataDir } = await startWithNpm();
    const authorization = `Bearer ${readFileSync(join(dataDir, 'admin-key'), 'utf8').trim()}`;
    for (const path of FILES_OF_PACKAGES_AND_PAGE) {
      expect(await fetch(`${address}${path}`, { headers: { authorization } })).toMatchObject({ status: 200 });
    }

    stop(npm);

    expect(await npm.ended).toEqual(CLEAN);
    expect(npm.stdout).toMatch(/"stopped"/);
    await expect.poll(() => npm.groupIsRunning(), WAIT_OPTIONS).toBe(false);
    expect(await postgresOn(dataDir)).toBeUndefined();
  });
});
