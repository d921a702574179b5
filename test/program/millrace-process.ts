import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export type Environment = Record<string, string>;

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAMS = {
  millrace: `${ROOT}/dist/program/main.js`,
  'millrace-with-tasks': `${ROOT}/dist/test-program/millrace-with-tasks.js`,
  'millrace-with-route-list': `${ROOT}/dist/test-program/millrace-with-route-list.js`,
  'millrace-with-kill-points': `${ROOT}/dist/test-program/millrace-with-kill-points.js`,
  'millrace-with-stubborn-part': `${ROOT}/dist/test-program/millrace-with-stubborn-part.js`,
};

/** Starts Millrace as a user does. It ends with the test. */
export function startMillrace(
  environment: Environment,
  program: keyof typeof PROGRAMS = 'millrace',
  kept?: Kept,
): MillraceProcess {
  return new MillraceProcess([process.execPath, PROGRAMS[program]], environment, kept);
}

interface Kept {
  cwd?: string;
  /** Receives what ends the process. By default it ends when the test has finished. */
  keep?: (end: () => Promise<void>) => void;
}

/** A program in its own process group with only the given environment and no `.env`. */
export class MillraceProcess {
  stdout = '';
  stderr = '';
  /** Resolves when its output is complete as well. */
  readonly ended: Promise<Ending>;
  hasEnded = false;
  private readonly child: ChildProcess;

  constructor(
    [command, ...args]: [string, ...string[]],
    environment: Environment,
    { cwd = tmpdir(), keep = onTestFinished }: Kept = {},
  ) {
    // The machine of a test may be busy enough to stall any process.
    const usual = { PATH: process.env.PATH, HOME: tmpdir(), MILLRACE_ALERT_STALL: '1h', MILLRACE_ICONS: 'off' };
    const env = { ...usual, ...environment };
    this.child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stdout?.setEncoding('utf8').on('data', (text) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text) => (this.stderr += text));
    this.ended = once(this.child, 'close').then(([code, signal]) => {
      this.hasEnded = true;
      return { code, signal };
    });
    keep(() => this.killGroup());
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Waits until it has printed the text. Fails if it ends without doing so. */
  async printed(pattern: RegExp): Promise<string> {
    for (;;) {
      const match = pattern.exec(this.stdout);
      if (match) return match[1] ?? match[0];
      if (this.hasEnded) throw new Error(`Millrace ended before it printed ${pattern}: ${this.stdout}${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** The address of the API. The stream of lines ends with the process. */
  address(): Promise<string> {
    return this.printed(/Millrace runs at (\S+)/);
  }

  /** Reads the admin key from the file that it names. */
  async adminKey(): Promise<string> {
    return (await readFile(await this.printed(/Your admin key is in (\S+)/), 'utf8')).trim();
  }

  send(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async end(signal: NodeJS.Signals): Promise<Ending> {
    this.send(signal);
    return this.ended;
  }

  /** Whether the process, or one that it started in its group, still runs. */
  groupIsRunning(): boolean {
    return this.signalGroup(0);
  }

  /** As Ctrl+C in a terminal does. */
  sendToGroup(signal: NodeJS.Signals): void {
    this.signalGroup(signal);
  }

  private async killGroup(): Promise<void> {
    this.signalGroup('SIGKILL');
    await this.ended;
  }

  private signalGroup(signal: NodeJS.Signals | 0): boolean {
    // Windows has no process groups that could be sent a signal.
    const target = process.platform === 'win32' ? this.pid : -this.pid;
    try {
      return process.kill(target, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
      throw error;
    }
  }
}
