import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { StartupError } from '../errors/startup-error.js';
import { openDataFolder } from './data-folder.js';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-data-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

it.runIf(process.platform !== 'win32')('makes a folder whose content nobody else can list', async () => {
  const path = join(await newFolder(), 'some/where');
  await openDataFolder(path);
  expect((await stat(path)).mode & 0o066).toBe(0);
});

it('opens a folder that is there already', async () => {
  const path = await newFolder();
  await writeFile(join(path, 'precious'), '');
  expect(await openDataFolder(path)).toEqual(await openDataFolder(path));
});

it('says which folder it cannot write to, and why', async () => {
  const file = join(await newFolder(), 'file');
  await writeFile(file, '');
  for (const path of [file, join(file, 'below'), '/proc/millrace']) {
    const opened = openDataFolder(path);
    await expect(opened).rejects.toThrow(StartupError);
    await expect(opened).rejects.toThrow(`cannot write to the data folder ${path}: `);
  }
});
