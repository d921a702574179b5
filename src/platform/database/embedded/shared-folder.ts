import { chmod, mkdir } from 'node:fs/promises';
import { StartupError } from '../../errors/startup-error.js';

/** The server's user must reach this even if Millrace is installed in a folder that only root may enter. */
export const SHARED_FOLDER = '/var/lib/millrace';

export async function makeSharedFolder(...below: string[]): Promise<string> {
  const path = [SHARED_FOLDER, ...below].join('/');
  try {
    for (const folder of new Set([SHARED_FOLDER, path])) {
      await mkdir(folder, { recursive: true });
      await chmod(folder, 0o755);
    }
    return path;
  } catch (error) {
    throw new StartupError(`cannot make ${path}, where PostgreSQL's user can reach it: ${(error as Error).message}`);
  }
}
