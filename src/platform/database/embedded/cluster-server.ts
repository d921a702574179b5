import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../../data-folder/running-process.js';
import type { Installation } from './installation.js';
import { disownPostmaster, isStillReady, type Postmaster, runningPostmaster } from './postmaster-file.js';
import { runAs, type ServerUser } from './server-user.js';

const MAX_BYTES = 10_000_000;

const LINES_SHOWN = 8;

class ServerLog {
  constructor(readonly path: string) {}

  /** Renames a log that has grown large. Call it while the server is not running. */
  async sizeAfterRotation(): Promise<number> {
    const size = await this.size();
    if (size <= MAX_BYTES) return size;
    await rename(this.path, `${this.path}.old`);
    return 0;
  }

  async endSince(position: number): Promise<string> {
    const size = await this.size();
    if (size <= position) return '';
    const file = await open(this.path);
    try {
      const { buffer } = await file.read({ buffer: Buffer.alloc(size - position), position });
      const lines = buffer.toString('utf8').trim().split('\n').slice(-LINES_SHOWN);
      return [`The end of ${this.path}:`, ...lines].join('\n  ');
    } finally {
      await file.close();
    }
  }

  private async size(): Promise<number> {
    try {
      return (await stat(this.path)).size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
      throw error;
    }
  }
}

/** Time in seconds that PostgreSQL may take to start (it may have to recover) or to stop. */
const TIMEOUT_SECONDS = 60;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_checkpoints: 'off',
  // JIT compilation helps long analytic queries only, and Millrace has none.
  jit: 'off',
};

export class ClusterServer {
  private readonly log: ServerLog;

  constructor(
    private readonly cluster: string,
    private readonly installation: Installation,
    private readonly user: ServerUser,
  ) {
    this.log = new ServerLog(join(cluster, 'server.log'));
  }

  running(): Promise<Postmaster | undefined> {
    return runningPostmaster(this.cluster);
  }

  isStillReady(pid: number): Promise<boolean> {
    return isStillReady(this.cluster, pid);
  }

  /** Resolves when the server accepts connections. An error contains the end of the server's log. */
  async start(port: number): Promise<void> {
    await disownPostmaster(this.cluster);
    const logged = await this.log.sizeAfterRotation();
    // Both the shell that `pg_ctl` uses on POSIX and cmd.exe understand double quotes.
    const settings = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}="${value}"`);
    try {
      await this.pgCtl('start', '-l', this.log.path, '-o', [`-p ${port}`, ...settings].join(' '));
    } catch (error) {
      throw new Error([(error as Error).message, await this.log.endSince(logged)].join('\n'));
    }
  }

  async stop(): Promise<void> {
    const postmaster = await this.running();
    if (!postmaster) return;
    try {
      await this.pgCtl('stop', '-m', 'fast');
    } catch (error) {
      if (await isRunning(postmaster.pid)) throw error;
    }
  }

  private pgCtl(action: string, ...args: string[]): Promise<void> {
    const { pgCtl } = this.installation;
    return runAs(this.user, [pgCtl, action, '-D', this.cluster, '-w', '-t', String(TIMEOUT_SECONDS), ...args]);
  }
}
