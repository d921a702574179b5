import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { isRunning } from '../../../src/platform/data-folder/running-process.js';
import { runningPostmaster } from '../../../src/platform/database/embedded/postmaster-file.js';
import { startEmbeddedPostgres } from '../../../src/platform/database/embedded/start-embedded-postgres.js';

const log = pino({ level: 'silent' });

/** Starts the embedded server of a data folder without a supervisor: after a kill it stays down until it is started. */
export async function startPostgres(dataDir: string): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  await postgres.leave();
  return postgres.url;
}

/** Sends SIGKILL. Does nothing if the server is not running. */
export async function killPostgres(dataDir: string): Promise<void> {
  const postmaster = await runningPostmaster(join(dataDir, 'postgres'));
  if (!postmaster) return;
  process.kill(postmaster.pid, 'SIGKILL');
  while (await isRunning(postmaster.pid)) await sleep(10);
}

/** Sends the signal to the server and to the processes of its connections. */
export async function signalPostgres(dataDir: string, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const postmaster = await runningPostmaster(join(dataDir, 'postgres'));
  if (!postmaster) throw new Error('there is no server to be sent a signal');
  process.kill(postmaster.pid, signal);
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const children = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  for (const [pid, parent] of children) if (pid && parent === postmaster.pid) process.kill(pid, signal);
}

/** Starts a dead server first, because only a start removes the shared memory that it left behind. */
export async function endPostgres(dataDir: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  await postgres.stop();
}
