import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, onTestFinished } from 'vitest';
import { thisMachine } from '../harness/servers/machine.js';
import { whyNoNewsboat } from '../harness/servers/server-choice.js';

const machine = thisMachine();
const PROGRAM = machine.given('newsboat') ?? machine.installed('newsboat');

export const describeWithNewsboat = describe.runIf(PROGRAM);
if (!PROGRAM) process.stderr.write(`Skipping the tests with newsboat: ${whyNoNewsboat()}.\n`);

const run = promisify(execFile);

/** A person with newsboat, who types keys in a terminal. */
export class Newsboat {
  private constructor(
    private readonly folder: string,
    private readonly args: string[],
  ) {}

  /** With these lines in its configuration. */
  static async set(lines: string[]): Promise<Newsboat> {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-newsboat-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = (name: string) => join(folder, name);
    await writeFile(file('config'), [...lines, 'auto-reload no', 'confirm-exit no', ''].join('\n'));
    await writeFile(file('urls'), '');
    return new Newsboat(folder, ['-C', file('config'), '-c', file('cache.db'), '-u', file('urls')]);
  }

  /** Synchronises without a terminal and returns what it says about unread articles. */
  async unread(): Promise<string> {
    const { stdout } = await run(PROGRAM ?? '', [...this.args, '-x', 'reload', 'print-unread'], { env: this.env });
    return stdout.trim();
  }

  /** Starts it in a terminal that is drawn until the work is done. */
  async inTerminal<T>(work: (type: (keys: string) => void, screen: () => string) => Promise<T>): Promise<T> {
    const command = [PROGRAM ?? '', ...this.args].join(' ');
    const terminal = spawn('script', ['-qfec', command, '/dev/null'], { env: this.env, stdio: 'pipe' });
    let drawn = '';
    terminal.stdout.on('data', (chunk: Buffer) => (drawn += chunk.toString()));
    try {
      return await work(
        (keys) => terminal.stdin.write(keys),
        () => drawn,
      );
    } finally {
      await ended(terminal);
    }
  }

  private get env() {
    const { PATH } = process.env;
    return { PATH, HOME: this.folder, TERM: 'xterm', LANG: 'C.UTF-8', LINES: '40', COLUMNS: '120' };
  }
}

async function ended(terminal: ChildProcess): Promise<void> {
  if (terminal.exitCode !== null) return;
  const closed = once(terminal, 'close');
  terminal.kill('SIGTERM');
  await closed;
}
