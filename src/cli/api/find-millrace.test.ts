import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { writeAdminKey } from '../../platform/data-folder/data-folder.js';
import { holdDataFolder } from '../../platform/data-folder/hold-data-folder.js';
import { findMillrace } from './find-millrace.js';

const nothing = { url: undefined, key: undefined };
let dataDir: string;
let environment: NodeJS.ProcessEnv;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'millrace-where-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const unset = { MILLRACE_URL: '', MILLRACE_KEY: '', MILLRACE_ADMIN_KEY: '', HOST: '', PORT: '' };
  environment = { ...unset, MILLRACE_DATA_DIR: dataDir };
});

describe('where Millrace is', () => {
  it('is what was given, before the environment', async () => {
    environment = { ...environment, MILLRACE_URL: 'http://there:1/', MILLRACE_KEY: 'theirs' };
    expect(await findMillrace(nothing, environment)).toEqual({ url: 'http://there:1', key: 'theirs' });
    const given = { url: 'https://here/millrace/', key: 'mine' };
    expect(await findMillrace(given, environment)).toEqual({ url: 'https://here/millrace', key: 'mine' });
  });

  it('is where the one listens that runs on the data folder, with its key', async () => {
    await writeAdminKey(dataDir, 'local-key');
    const lock = await holdDataFolder(dataDir);
    await lock.announce('http://127.0.0.1:4567');
    expect(await findMillrace(nothing, environment)).toEqual({ url: 'http://127.0.0.1:4567', key: 'local-key' });
  });

  it('is what the configuration says while none runs there', async () => {
    await writeAdminKey(dataDir, 'local-key');
    const lock = await holdDataFolder(dataDir);
    await lock.announce('http://127.0.0.1:4567');
    await lock.release();
    expect(await findMillrace(nothing, environment)).toMatchObject({ url: 'http://127.0.0.1:3000' });
    const everywhere = { ...environment, HOST: '0.0.0.0', PORT: '81', MILLRACE_ADMIN_KEY: 'k'.repeat(24) };
    expect(await findMillrace(nothing, everywhere)).toEqual({ url: 'http://127.0.0.1:81', key: 'k'.repeat(24) });
  });

  it('never gets the local key if it is somewhere else', async () => {
    await writeAdminKey(dataDir, 'local-key');
    const elsewhere = findMillrace({ ...nothing, url: 'http://elsewhere' }, environment);
    await expect(elsewhere).rejects.toThrow('No key for http://elsewhere. Set one with --key or MILLRACE_KEY.');
    const here = { ...nothing, url: 'http://127.0.0.1:3000' };
    expect(await findMillrace(here, environment)).toMatchObject({ key: 'local-key' });
  });

  it('is not known where it has never been started', async () => {
    await expect(findMillrace(nothing, environment)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining(
        `The data folder ${dataDir} has no key, so Millrace has not been started there.`,
      ),
    });
  });

  it('does not depend on the rest of the configuration', async () => {
    const mistaken = { ...environment, MILLRACE_ROLES: 'cook', MILLRACE_URL: 'http://there', MILLRACE_KEY: 'k' };
    expect(await findMillrace(nothing, mistaken)).toEqual({ url: 'http://there', key: 'k' });
  });
});
