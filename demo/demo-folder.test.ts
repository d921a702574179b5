import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { holdDataFolder } from '../src/platform/data-folder/hold-data-folder.js';
import { newDataFolder } from '../test/harness/data-folder.js';
import { openDemoFolder } from './demo-folder.js';

it('is made where there is none', async () => {
  const folder = newDataFolder();
  await openDemoFolder(folder);
  expect(await readdir(folder)).toContain('millrace-demo');
});

it('is emptied if an earlier demo has left it', async () => {
  const folder = newDataFolder();
  await openDemoFolder(folder);
  await mkdir(join(folder, 'postgres'));
  await writeFile(join(folder, 'admin-key'), 'mr_old');
  await openDemoFolder(folder);
  expect(existsSync(join(folder, 'postgres'))).toBe(false);
  expect(existsSync(join(folder, 'admin-key'))).toBe(false);
});

it('is left alone if it is not a demo’s', async () => {
  const folder = newDataFolder();
  await mkdir(folder);
  await writeFile(join(folder, 'admin-key'), 'mr_real');
  await expect(openDemoFolder(folder)).rejects.toThrow("are not the demo's");
  expect(await readdir(folder)).toEqual(['admin-key']);
});

it('is left alone while a demo runs on it', async () => {
  const folder = newDataFolder();
  await openDemoFolder(folder);
  await holdDataFolder(folder);
  await writeFile(join(folder, 'admin-key'), 'mr_in_use');
  await expect(openDemoFolder(folder)).rejects.toThrow('already runs on');
  expect(existsSync(join(folder, 'admin-key'))).toBe(true);
});
