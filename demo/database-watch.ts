import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Waits for a line on its input. If the input ends without one, because the demo was killed, the program stops the
 * database. It ignores the signals that a terminal sends to the whole process group.
 */
const PROGRAM = `
  const { readFileSync } = require('node:fs');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  process.stdin.once('data', () => process.exit());
  process.stdin.once('end', () => {
    const pid = Number(readFileSync(process.argv[1] + '/postmaster.pid', 'utf8').split('\\n')[0]);
    process.kill(pid, 'SIGINT');
  });`;

interface DatabaseWatch {
  /** Ends the watch and leaves the database running. */
  end(): Promise<void>;
}

/** Stops the server of a cluster when this process ends, even if it is killed. */
export function watchDatabase(cluster: string): DatabaseWatch {
  const args = ['--eval', PROGRAM, cluster];
  const watcher = spawn(process.execPath, args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(watcher, 'exit');
  watcher.unref();
  return {
    end: async () => {
      watcher.stdin?.end('end\n');
      await ended;
    },
  };
}
