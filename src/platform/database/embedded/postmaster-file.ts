import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLineOf, isRunning } from '../../data-folder/running-process.js';

/** The file that a running server writes into its cluster. A killed server leaves it behind. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly status: 'starting' | 'ready' | 'stopping';
}

/** No process has this id, because systems count to a few million. */
const NO_PROCESS = 2 ** 31 - 1;

export async function runningPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const postmaster = await readPostmaster(cluster);
  return postmaster && (await isServerOf(cluster, postmaster.pid)) ? postmaster : undefined;
}

export async function isStillReady(cluster: string, pid: number): Promise<boolean> {
  const postmaster = await readPostmaster(cluster);
  return postmaster?.pid === pid && postmaster.status === 'ready' && (await isRunning(pid));
}

/** A leftover file may name a newer process. The server needs the rest of it to find processes of its predecessor. */
export async function disownPostmaster(cluster: string): Promise<void> {
  const lines = (await readLines(cluster)) ?? [];
  if (lines.length > 0) await writeFile(postmasterFile(cluster), [NO_PROCESS, ...lines.slice(1)].join('\n'));
}

async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lines = await readLines(cluster);
  const pid = Number(lines?.[0]);
  if (!lines || !(pid > 0)) return undefined;
  const status = lines[7]?.trim();
  return { pid, port: Number(lines[3]), status: status === 'ready' || status === 'stopping' ? status : 'starting' };
}

async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  return (await isRunning(pid)) && isServerCommand(await commandLineOf(pid), cluster, process.platform);
}

/** A command line of Windows contains the quotes of `pg_ctl`, and perhaps slashes or other capitals in the path. */
export function isServerCommand(commandLine: string, cluster: string, platform: NodeJS.Platform): boolean {
  const plain = (text: string) =>
    platform === 'win32' ? text.replaceAll('"', '').replaceAll('\\', '/').toLowerCase() : text;
  return plain(commandLine).includes(plain(` -D ${cluster} `));
}

async function readLines(cluster: string): Promise<string[] | undefined> {
  try {
    return (await readFile(postmasterFile(cluster), 'utf8')).split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function postmasterFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}
