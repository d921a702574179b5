import type { TransferListItem } from 'node:worker_threads';
import { Thread, type ThreadLimits } from './thread.js';
import { ThreadDied } from './thread-error.js';

interface PoolOptions extends ThreadLimits {
  /** A module that calls `serveThread`: `new URL('./parse.thread.js', import.meta.url)`. */
  module: URL;
  size: number;
}

interface WaitingCall<Input, Output> {
  input: Input;
  transfer: readonly TransferListItem[];
  resolve(output: Output): void;
  reject(error: unknown): void;
}

/** The time of a call counts from when a thread has it. A call that fails does not affect the others. */
export class ThreadPool<Input, Output> {
  private readonly threads = new Set<Thread<Input, Output>>();
  private readonly waiting: WaitingCall<Input, Output>[] = [];
  private closed = false;

  constructor(private readonly options: PoolOptions) {}

  /** Input and output are copied like `structuredClone` does. The items of `transfer` are moved instead. */
  run(input: Input, transfer: readonly TransferListItem[] = []): Promise<Output> {
    return new Promise((resolve, reject) => {
      if (this.closed) throw new ThreadDied('the pool is closed');
      this.waiting.push({ input, transfer, resolve, reject });
      this.assign();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    const reason = new ThreadDied('the pool was closed');
    for (const call of this.waiting.splice(0)) call.reject(reason);
    for (const thread of this.threads) thread.stop(reason);
    await Promise.all([...this.threads].map(({ ended }) => ended));
  }

  private assign(): void {
    while (this.waiting.length) {
      const thread = this.freeThread();
      const call = thread && this.waiting.shift();
      if (!call) return;
      void this.work(thread, call);
    }
  }

  private freeThread(): Thread<Input, Output> | undefined {
    for (const thread of this.threads) if (thread.free) return thread;
    return this.threads.size < this.options.size ? this.startThread() : undefined;
  }

  private startThread(): Thread<Input, Output> {
    const thread = new Thread<Input, Output>(this.options.module, this.options);
    this.threads.add(thread);
    // Only a thread that has really ended frees its slot, because a thread in native code cannot be stopped at once.
    void thread.ended.then(() => {
      this.threads.delete(thread);
      this.assign();
    });
    return thread;
  }

  private async work(thread: Thread<Input, Output>, call: WaitingCall<Input, Output>): Promise<void> {
    await thread.run(call.input, call.transfer).then(call.resolve, call.reject);
    this.assign();
  }
}
