import { rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Windows refuses to move or replace a file that any program has open, such as a virus scanner. */
const IN_USE = ['EPERM', 'EACCES', 'EBUSY'];
const MAX_ATTEMPTS = 20;
const BETWEEN_ATTEMPTS_MS = 100;

interface FileSystem {
  readonly platform: NodeJS.Platform;
  rename(from: string, to: string): Promise<void>;
}

/** Moves a file or folder. On Windows a file in use gets two seconds to be closed. */
export async function renameWithRetries(
  from: string,
  to: string,
  system: FileSystem = { platform: process.platform, rename },
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await system.rename(from, to);
    } catch (error) {
      const isInUse = system.platform === 'win32' && IN_USE.includes(String((error as NodeJS.ErrnoException).code));
      if (!isInUse || attempt === MAX_ATTEMPTS) throw error;
      await sleep(BETWEEN_ATTEMPTS_MS);
    }
  }
}
