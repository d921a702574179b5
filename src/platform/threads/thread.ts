import { type TransferListItem, Worker } from 'node:worker_threads';
import type { ThreadMessage } from './serve-thread.js';
import { arrived, ThreadDied, ThreadTimeout } from './thread-error.js';
import { threadModule } from './thread-module.js';

/** Loading its module may take this long, also on a busy machine; it does not count as time of the call. */
const START_MS = 30_000;
/** A thread takes tens of megabytes: one without work gives them back. */
const IDLE_MS = 60_000;

export interface ThreadLimits {
  timeoutMs: number;
  /**
   * Of the JavaScript heap. Node ends a thread that grows past it, but the whole process where one single allocation goes
   * far past it: the input must be bounded so that no such thing can come, and this be several times what it needs.
   */
  memoryMb: number;
}

interface Call<Output> {
  resolve(output: Output): void;
  reject(error: Error): void;
}

/** One thread; runs one call at a time and keeps the process alive only while it does. */
export class Thread<Input, Output> {
  private readonly worker: Worker;
  private ready = false;
  private call: Call<Output> | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** Why it is of no use any more. */
  private end: Error | undefined;
  readonly ended: Promise<void>;

  constructor(
    module: URL,
    private readonly limits: ThreadLimits,
  ) {
    this.worker = new Worker(threadModule(module), { resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb } });
    this.worker.unref();
    this.worker.on('message', (message: ThreadMessage<Output>) => this.hear(message));
    this.worker.on('messageerror', (error) => this.stop(error));
    this.worker.on('error', (error) =>
      this.stop(new ThreadDied(`the thread died: ${error.message}`, { cause: error })),
    );
    this.ended = new Promise((resolve) => {
      this.worker.once('exit', (code) => {
        this.stop(new ThreadDied(`the thread exited with code ${code}`));
        resolve();
      });
    });
  }

  get free(): boolean {
    return !this.end && !this.call;
  }

  run(input: Input, transfer: readonly TransferListItem[]): Promise<Output> {
    return new Promise((resolve, reject) => {
      if (this.end) throw this.end;
      this.worker.postMessage(input, transfer);
      this.worker.ref();
      this.call = { resolve, reject };
      this.allow(this.ready ? this.limits.timeoutMs : START_MS);
    });
  }

  /** A call that it runs is rejected with the reason. */
  stop(reason: Error): void {
    if (this.end) return;
    this.end = reason;
    this.done()?.reject(reason);
    void this.worker.terminate();
  }

  private hear(message: ThreadMessage<Output>): void {
    if ('ready' in message) {
      this.ready = true;
      if (this.call) this.allow(this.limits.timeoutMs);
    } else if ('error' in message) this.done()?.reject(arrived(message.error));
    else this.done()?.resolve(message.output);
  }

  private allow(ms: number): void {
    clearTimeout(this.timer);
    const { call } = this;
    const expire = () => {
      if (this.call === call) this.stop(new ThreadTimeout(ms));
    };
    // The answer may have come while this thread was the busy one: what has arrived is heard first.
    this.timer = setTimeout(() => setImmediate(expire), ms);
  }

  private done(): Call<Output> | undefined {
    const { call } = this;
    this.call = undefined;
    clearTimeout(this.timer);
    this.worker.unref();
    if (!this.end) this.timer = setTimeout(() => this.stop(new ThreadDied('nothing to do')), IDLE_MS).unref();
    return call;
  }
}
