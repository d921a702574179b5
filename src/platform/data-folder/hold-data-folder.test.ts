import { cp, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../../test/harness/program.js';
import { StartupError } from '../errors/startup-error.js';
import { announcedAddress, holdDataFolder } from './hold-data-folder.js';

interface Outcome {
  held: boolean;
  reason?: string;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-lock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const locksIn = async (folder: string) => (await readdir(folder)).filter((name) => name.startsWith('millrace.lock'));

it('keeps a second process off the folder and tells it where the first one is', async () => {
  const folder = await newFolder();
  const first = runProgram<Outcome>('hold-data-folder', [folder, 'http://127.0.0.1:3000']);
  expect(await first.said).toEqual({ held: true });

  const second = holdDataFolder(folder);

  await expect(second).rejects.toThrow(StartupError);
  await expect(second).rejects.toThrow(
    `Millrace already runs on ${folder} (process ${first.pid}) at http://127.0.0.1:3000`,
  );
});

it('gives the folder to the next one after a release', async () => {
  const folder = await newFolder();
  for (let start = 0; start < 3; start++) {
    const lock = await holdDataFolder(folder);
    await expect(holdDataFolder(folder)).rejects.toThrow(`(process ${process.pid})`);
    await lock.release();
  }
  expect(await locksIn(folder)).toHaveLength(1);
});

it('takes the folder over from a process that was killed', async () => {
  const folder = await newFolder();
  const first = runProgram<Outcome>('hold-data-folder', [folder]);
  await first.said;
  await first.end('SIGKILL');

  await holdDataFolder(folder);

  expect(await locksIn(folder)).toHaveLength(1);
});

it('is not fooled by another process that has the id of the dead holder', async () => {
  const folder = await newFolder();
  const holder = { pid: process.ppid, startedAt: 'before the reboot', released: false };
  await writeFile(join(folder, 'millrace.lock.1'), JSON.stringify(holder));

  await holdDataFolder(folder);

  await expect(holdDataFolder(folder)).rejects.toThrow(`(process ${process.pid})`);
});

it('takes over a lock file that a power cut left empty', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'millrace.lock.7'), '');

  await expect(holdDataFolder(folder)).resolves.toBeDefined();
});

it('lets exactly one of many simultaneous starters in, also where a dead one left its lock', async () => {
  const folder = await newFolder();
  const dead = runProgram<Outcome>('hold-data-folder', [folder]);
  await dead.said;
  await dead.end('SIGKILL');

  const starters = Array.from({ length: 6 }, () => runProgram<Outcome>('hold-data-folder', [folder]));
  const outcomes = await Promise.all(starters.map((starter) => starter.said));

  expect(outcomes.filter(({ held }) => held)).toHaveLength(1);
  expect(outcomes.filter(({ reason }) => reason?.includes('Millrace already runs'))).toHaveLength(5);
});

it('lets exactly one of many simultaneous callers of one process in', async () => {
  const folder = await newFolder();
  const attempts = await Promise.allSettled(Array.from({ length: 50 }, () => holdDataFolder(folder)));
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('lets a copy of a folder be used beside the original, and says that it is one', async () => {
  const folder = await newFolder();
  const original = runProgram<Outcome>('hold-data-folder', [folder, 'http://127.0.0.1:3000']);
  await original.said;
  const copy = await newFolder();
  await cp(folder, copy, { recursive: true });

  expect(await announcedAddress(copy)).toBeUndefined();
  const lock = await holdDataFolder(copy);

  expect(lock.copiedFrom).toBe(folder);
  await expect(holdDataFolder(copy)).rejects.toThrow(`(process ${process.pid})`);
  await expect(holdDataFolder(folder)).rejects.toThrow(`(process ${original.pid})`);
  await lock.release();
  const again = await holdDataFolder(copy);
  expect(again.copiedFrom).toBe(folder);
  await again.forgetCopy();
  await again.release();
  expect((await holdDataFolder(copy)).copiedFrom).toBeUndefined();
});

it('keeps a second process off a folder that was renamed while it is in use', async () => {
  const parent = await newFolder();
  const before = await mkdtemp(join(parent, 'before-'));
  await holdDataFolder(before);
  const after = join(parent, 'after');
  await rename(before, after);

  await expect(holdDataFolder(after)).rejects.toThrow(`(process ${process.pid})`);
});

it('notices a backup that was put back at the same path', async () => {
  const parent = await newFolder();
  const [folder, backup] = [await mkdtemp(join(parent, 'data-')), join(parent, 'backup')];
  await (await holdDataFolder(folder)).release();
  await cp(folder, backup, { recursive: true });
  await rename(folder, join(parent, 'broken'));
  await cp(backup, folder, { recursive: true });

  expect((await holdDataFolder(folder)).copiedFrom).toBe(folder);
});
