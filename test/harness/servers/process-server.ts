import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PrivateServer } from './private-server.js';

export interface ProcessToRun {
  /** Contains its log and its pid file, by which the watchdog finds the process. */
  readonly folder: string;
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

export function processServer({ folder, name, command, args, env }: ProcessToRun): PrivateServer {
  const log = join(folder, `${name}.log`);
  const pidFile = join(folder, `${name}.pid`);
  let child: ReturnType<typeof spawn> | undefined;
  const isRunning = () => child?.pid !== undefined && child.exitCode === null && child.signalCode === null;

  return {
    async start() {
      const output = openSync(log, 'a');
      // Detached, because Ctrl+C in a terminal is meant for the tests, which then stop their servers.
      child = spawn(command, args, { cwd: folder, env, detached: true, stdio: ['ignore', output, output] });
      closeSync(output);
      await once(child, 'spawn');
      writeFileSync(pidFile, `${child.pid}\n`);
      // The pid may soon belong to another process.
      child.once('exit', () => rmSync(pidFile, { force: true }));
      child.unref();
    },
    async kill() {
      if (!child || !isRunning()) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    freeze: async () => void child?.kill('SIGSTOP'),
    thaw: async () => void child?.kill('SIGCONT'),
    isRunning: async () => isRunning(),
    lastWords: async () => readFileSync(log, 'utf8').slice(-2000),
  };
}
