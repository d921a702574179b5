import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface WorkerProgram {
  /** Everything that it has printed so far. */
  printed(): string;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Has no effect after it has ended. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** Starts a worker in the folder of the repository. The caller ends it. */
export function startWorkerProgram(command: string, args: string[], env: NodeJS.ProcessEnv): WorkerProgram {
  const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'pipe' });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text));
  // Emitted after `exit`, when all of its output has been read.
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  return {
    printed: () => printed,
    ended,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
