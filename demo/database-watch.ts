import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Waits for a line on its input. If the input ends without one, because the demo was killed, the script stops the database.
 * It ignores the signals that a terminal sends to the whole process group.
 */
const SCRIPT = `trap '' INT TERM HUP; read -r line || kill -INT "$(head -n 1 "$1/postmaster.pid")"`;

interface DatabaseWatch {
  /** Ends the watch and leaves the database running. */
  end(): Promise<void>;
}

/** Stops the server of a cluster when this process ends, even if it is killed. */
export function watchDatabase(cluster: string): DatabaseWatch {
  const watcher = spawn('sh', ['-c', SCRIPT, 'sh', cluster], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(watcher, 'exit');
  watcher.unref();
  return {
    end: async () => {
      watcher.stdin?.end('end\n');
      await ended;
    },
  };
}
