import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Waits for a word. If it ends without one, because whoever should have said it was killed, the database is told to
 * stop: a demo leaves nothing running. Signals that a terminal sends to everybody are not meant for it.
 */
const SCRIPT = `trap '' INT TERM HUP; read -r word || kill -INT "$(head -n 1 "$1/postmaster.pid")"`;

export interface DatabaseWatch {
  /** The database is left to whoever stops it. */
  end(): Promise<void>;
}

/** Sees to it that the server of a cluster does not outlive this process, however it ends. */
export function watchDatabase(cluster: string): DatabaseWatch {
  const watcher = spawn('sh', ['-c', SCRIPT, 'sh', cluster], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(watcher, 'exit');
  watcher.unref();
  return {
    end: async () => {
      watcher.stdin?.end('over\n');
      await ended;
    },
  };
}
