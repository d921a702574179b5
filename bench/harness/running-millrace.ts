import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../src/platform/database/embedded/free-port.js';

export async function withDataFolder<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  // Otherwise the database of a benchmark that root runs would be placed elsewhere and stay there.
  await chmod(dataDir, 0o711);
  try {
    return await work(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs `npm start`, calls `work` once it is ready, and stops it. */
export async function withMillrace<T>(
  dataDir: string,
  work: (npm: ChildProcess, address: string) => Promise<T>,
  environment: Record<string, string> = {},
): Promise<T> {
  const port = await findFreePort();
  const env = { ...process.env, ...environment, PORT: String(port), MILLRACE_DATA_DIR: dataDir };
  const npm = spawn('npm', ['start'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    while (!(await isReady(port))) {
      if (npm.exitCode !== null) throw new Error('npm start ended before it was ready');
      await sleep(10);
    }
    return await work(npm, `http://127.0.0.1:${port}`);
  } finally {
    await stop(npm);
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
  } catch {
    return false;
  }
}

async function stop(npm: ChildProcess): Promise<void> {
  if (npm.exitCode !== null) return;
  const ended = once(npm, 'exit');
  npm.kill('SIGTERM');
  await ended;
}
