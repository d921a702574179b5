import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartupError } from '../../errors/startup-error.js';

const exec = promisify(execFile);

/** The user that runs PostgreSQL. The ids are undefined if it is the user of this process. */
export interface ServerUser {
  readonly name: string;
  readonly ids: { readonly uid: number; readonly gid: number } | undefined;
}

/** PostgreSQL refuses to run as root, so root runs it as the owner of the cluster, as `postgres` or as `nobody`. */
export async function chooseServerUser(cluster: string | undefined): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return { name: 'the user of Millrace', ids: undefined };
  if (cluster) {
    const { uid, gid } = await stat(cluster);
    return { name: `user ${uid}`, ids: { uid, gid } };
  }
  for (const name of ['postgres', 'nobody']) {
    const ids = await idsOf(name);
    if (ids) return { name, ids };
  }
  throw new StartupError(
    'PostgreSQL does not run as root, and there is neither a user "postgres" nor "nobody" to run it as: start Millrace as an ordinary user or set DATABASE_URL',
  );
}

/** Excludes Millrace's own environment, which contains secrets, and any locale that the system may not have. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };
/** Node adds PATH and the folders of the system. */
const WINDOWS_ENVIRONMENT = { LC_ALL: 'C' };

/** The last lines of a program that has ended are read within this time (ms). */
const LAST_LINES_MS = 200;

/**
 * The program has its own process group, or on Windows its own hidden console, so that Ctrl+C in a terminal reaches
 * Millrace only.
 */
export async function runAs(
  user: ServerUser,
  [program, ...args]: [string, ...string[]],
  platform = process.platform,
): Promise<void> {
  const onWindows = platform === 'win32';
  const child = spawn(program, args, {
    cwd: '/',
    env: onWindows ? WINDOWS_ENVIRONMENT : ENVIRONMENT,
    detached: !onWindows,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user.ids,
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (complaint += text));
  const ended = once(child, 'exit');
  const closed = once(child, 'close');
  // On Windows a server inherits the pipe of the program that starts it, and keeps it open.
  const [[code, signal]] = await Promise.all([ended, onWindows ? firstOf(closed, ended) : closed]);
  child.stderr.destroy();
  if (code !== 0) throw new Error(complaint.trim() || `${program} ended with ${signal ?? code}`);
}

const firstOf = (closed: Promise<unknown>, ended: Promise<unknown>) =>
  Promise.race([closed, ended.then(() => sleep(LAST_LINES_MS))]);

/** Tries the command, because permissions, access lists and mount options all matter. */
export async function canDo(user: ServerUser, command: [string, ...string[]]): Promise<boolean> {
  return runAs(user, command).then(
    () => true,
    () => false,
  );
}

async function idsOf(name: string): Promise<ServerUser['ids']> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await exec('id', [flag, name])).stdout)),
    );
    return uid === undefined || gid === undefined ? undefined : { uid, gid };
  } catch (error) {
    // `id` exits with 1 if there is no such user.
    if ((error as { code?: unknown }).code === 1) return undefined;
    throw error;
  }
}
