import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StartupError } from '../errors/startup-error.js';
import { startOf } from './running-process.js';

// A lock is a file `millrace.lock.<number>`, and the highest number holds. Whoever finds the highest one's process gone
// adds the next number, which the file system gives to one only. A number is never given again, so a slow starter cannot
// remove or replace the lock of a quicker one.

export interface DataFolderLock {
  /** Tells those who come later where this process can be reached. */
  announce(address: string): Promise<void>;
  release(): Promise<void>;
}

const Holder = z.object({
  pid: z.number(),
  startedAt: z.string(),
  address: z.string().optional(),
  released: z.boolean(),
});
type Holder = z.infer<typeof Holder>;

const LOCK_NAME = /^millrace\.lock\.(\d+)$/;

/** Keeps a second Millrace off the folder until `release()` or the end of this process, however it ends. */
export async function holdDataFolder(path: string): Promise<DataFolderLock> {
  const me: Holder = { pid: process.pid, startedAt: (await startOf(process.pid)) ?? '', released: false };
  for (;;) {
    const newest = await newestLock(path);
    const holder = newest > 0 ? await readHolder(path, newest) : undefined;
    if (holder && (await isHeldBy(holder))) throw new StartupError(alreadyRuns(path, holder));
    const mine = newest + 1;
    if ((await addLock(path, mine, me)) && (await newestLock(path)) === mine) {
      await removeLocksBelow(path, mine);
      return lockOf(path, mine, me);
    }
  }
}

/** Where the process that holds the folder can be reached; undefined if there is none, or it has no address. */
export async function announcedAddress(path: string): Promise<string | undefined> {
  if (!existsSync(path)) return undefined;
  const newest = await newestLock(path);
  const holder = newest > 0 ? await readHolder(path, newest) : undefined;
  return holder && (await isHeldBy(holder)) ? holder.address : undefined;
}

function lockOf(path: string, number: number, holder: Holder): DataFolderLock {
  let current = holder;
  const change = async (changes: Partial<Holder>) => {
    current = { ...current, ...changes };
    const draft = await writeDraft(path, current);
    await rename(draft, lockFile(path, number));
  };
  return { announce: (address) => change({ address }), release: () => change({ released: true }) };
}

async function isHeldBy(holder: Holder): Promise<boolean> {
  return !holder.released && (await startOf(holder.pid)) === holder.startedAt;
}

async function addLock(path: string, number: number, holder: Holder): Promise<boolean> {
  const draft = await writeDraft(path, holder);
  try {
    await link(draft, lockFile(path, number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft);
  }
}

async function writeDraft(path: string, holder: Holder): Promise<string> {
  const draft = join(path, `millrace.lock.draft-${randomUUID()}`);
  await writeFile(draft, JSON.stringify(holder), { mode: 0o600 });
  return draft;
}

async function newestLock(path: string): Promise<number> {
  return Math.max(0, ...(await lockNumbers(path)));
}

async function lockNumbers(path: string): Promise<number[]> {
  const names = await readdir(path);
  return names.flatMap((name) => LOCK_NAME.exec(name)?.[1] ?? []).map(Number);
}

async function readHolder(path: string, number: number): Promise<Holder | undefined> {
  try {
    return Holder.parse(JSON.parse(await readFile(lockFile(path, number), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    // Living processes only ever see whole files: a broken one was left by a machine that lost its power.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

async function removeLocksBelow(path: string, number: number): Promise<void> {
  const older = (await lockNumbers(path)).filter((other) => other < number);
  await Promise.all(older.map((other) => rm(lockFile(path, other), { force: true })));
}

function lockFile(path: string, number: number): string {
  return join(path, `millrace.lock.${number}`);
}

function alreadyRuns(path: string, { pid, address }: Holder): string {
  return `Millrace already runs on ${path} (process ${pid})${address ? ` at ${address}` : ''}`;
}
