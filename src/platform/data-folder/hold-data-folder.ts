import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StartupError } from '../errors/startup-error.js';
import { FolderIdentity, identityOf } from './data-folder.js';
import { renameWithRetries } from './rename-with-retries.js';
import { startOf } from './running-process.js';

// A lock is a file `millrace.lock.<number>`, and the highest number holds. The file system grants a number to only one
// process, and no number is reused, so a slow starter cannot remove or replace the lock of a quicker one.

// A lock names the folder that it was made for, because a copy of a folder contains a copy of its lock.

export interface DataFolderLock {
  readonly copiedFrom: string | undefined;
  /** Call this once all components know that the folder is a copy. */
  forgetCopy(): Promise<void>;
  announce(address: string): Promise<void>;
  release(): Promise<void>;
}

const Holder = z.object({
  pid: z.number(),
  startedAt: z.string(),
  /** Undefined in locks of versions that did not write it. */
  folder: FolderIdentity.optional(),
  address: z.string().optional(),
  /** Kept until `forgetCopy`, so that a start that fails earlier does not lose it. */
  copiedFrom: z.string().optional(),
  released: z.boolean(),
});
type Holder = z.infer<typeof Holder>;

const LOCK_NAME = /^millrace\.lock\.(\d+)$/;

export async function holdDataFolder(path: string): Promise<DataFolderLock> {
  const folder = await identityOf(path);
  const me: Holder = { pid: process.pid, startedAt: (await startOf(process.pid)) ?? '', folder, released: false };
  for (;;) {
    const newest = await newestLock(path);
    const holder = newest > 0 ? await readHolder(path, newest) : undefined;
    if (holder && (await isHeldBy(holder, folder))) throw new StartupError(alreadyRuns(path, holder));
    const mine = newest + 1;
    const from = copiedFrom(holder, folder);
    const lock = from === undefined ? me : { ...me, copiedFrom: from };
    if ((await addLock(path, mine, lock)) && (await newestLock(path)) === mine) {
      await removeLocksBelow(path, mine);
      return lockOf(path, mine, lock);
    }
  }
}

export async function announcedAddress(path: string): Promise<string | undefined> {
  if (!existsSync(path)) return undefined;
  const newest = await newestLock(path);
  const holder = newest > 0 ? await readHolder(path, newest) : undefined;
  return holder && (await isHeldBy(holder, await identityOf(path))) ? holder.address : undefined;
}

function lockOf(path: string, number: number, holder: Holder): DataFolderLock {
  let current = holder;
  const change = async (changes: Partial<Holder>) => {
    current = { ...current, ...changes };
    const draft = await writeDraft(path, current);
    await renameWithRetries(draft, lockFile(path, number));
  };
  return {
    copiedFrom: holder.copiedFrom,
    forgetCopy: () => change({ copiedFrom: undefined }),
    announce: (address) => change({ address }),
    release: () => change({ released: true }),
  };
}

async function isHeldBy(holder: Holder, folder: FolderIdentity): Promise<boolean> {
  if (holder.released || isOfOtherFolder(holder, folder)) return false;
  return (await startOf(holder.pid)) === holder.startedAt;
}

/** A rename keeps the inode, and some file systems change inodes but keep the path. Both must differ. */
function isOfOtherFolder({ folder: held }: Holder, { path, device, inode }: FolderIdentity): boolean {
  return held !== undefined && held.path !== path && (held.device !== device || held.inode !== inode);
}

/** A backup restored to the same path has another inode. Device numbers change with a reboot. */
function copiedFrom(last: Holder | undefined, { inode }: FolderIdentity): string | undefined {
  return last?.folder && last.folder.inode !== inode ? last.folder.path : last?.copiedFrom;
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
    // Running processes see complete files only, so a broken one was left by a power failure.
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
