import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { EngineOptions } from './engine.js';

const PROGRAM = fileURLToPath(new URL('../../dist/test-program/worker.process.js', import.meta.url));

const started = new Set<WorkerProcess>();

/** Ends what a test has started. Call it after each test. */
export function killWorkerProcesses(): void {
  for (const worker of started) worker.kill();
  started.clear();
}

export async function startWorkerProcess(options: EngineOptions): Promise<WorkerProcess> {
  const worker = new WorkerProcess(options);
  started.add(worker);
  await worker.said('ready');
  return worker;
}

export class WorkerProcess {
  private readonly child: ChildProcess;
  private readonly lines: string[] = [];
  private readonly exit: Promise<unknown[]>;

  constructor(options: EngineOptions) {
    this.child = spawn(process.execPath, [PROGRAM, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.exit = once(this.child, 'exit');
    if (this.child.stdout) createInterface(this.child.stdout).on('line', (line) => this.lines.push(line));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Waits for a line of its output that contains the text. */
  async said(text: string): Promise<void> {
    while (!this.lines.some((line) => line.includes(text))) {
      if (this.child.exitCode !== null || this.child.signalCode) throw new Error(`worker ended before it said ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  kill() {
    this.child.kill('SIGKILL');
  }

  freeze() {
    this.child.kill('SIGSTOP');
  }

  wake() {
    this.child.kill('SIGCONT');
  }

  /** Stops it with SIGTERM and returns its exit code. */
  async terminate(): Promise<number | null> {
    this.child.kill('SIGTERM');
    await this.exit;
    return this.child.exitCode;
  }

  async ended(): Promise<void> {
    await this.exit;
  }
}
