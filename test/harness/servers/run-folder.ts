import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface RunFolder {
  readonly path: string;
  /** Ends every server that has its pid file below the folder, and removes the folder. */
  remove(): Promise<void>;
}

/** A temporary folder for the servers of a test run. A watchdog ends them with the run, even after `kill -9`. */
export function createRunFolder(): RunFolder {
  // PostgreSQL runs as another user than root, who must be able to enter, which a TMPDIR may not allow.
  const parent = realpathSync(process.getuid?.() === 0 ? '/tmp' : tmpdir());
  const path = mkdtempSync(join(parent, 'millrace-test-'));
  chmodSync(path, 0o755);
  // Benchmarks run compiled, and the compiler copies no JavaScript.
  const program = fileURLToPath(new URL('./watchdog.mjs', import.meta.url.replace('/dist/test/', '/test/')));
  const args = [program, path];
  const watchdog = spawn(process.execPath, args, { detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] });
  watchdog.unref();
  return {
    path,
    async remove() {
      const ended = once(watchdog, 'exit');
      watchdog.ref();
      watchdog.stdin.end('done\n');
      await ended;
    },
  };
}
