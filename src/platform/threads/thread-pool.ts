import type { TransferListItem } from 'node:worker_threads';
import { Thread, type ThreadLimits } from './thread.js';
import { ThreadDied } from './thread-error.js';

interface PoolOptions extends ThreadLimits {
  /** `new URL('./parse.thread.js', import.meta.url)`: a module that calls `serveThread`. */
  module: URL;
  size: number;
}

interface WaitingCall<Input, Output> {
  input: Input;
  transfer: readonly TransferListItem[];
  resolve(output: Output): void;
  reject(error: unknown): void;
}

/**
 * Threads for work that would hold up the event loop. They start when there is work and all others are busy.
 * `run` fails with what the function threw (name, message and plain fields), with `ThreadTimeout`, or with `ThreadDied`;
 * the thread is then replaced if need be, and other calls notice nothing. A call's time counts from when a thread has it.
 */
export class ThreadPool<Input, Output> {
  private readonly threads = new Set<Thread<Input, Output>>();
  private readonly waiting: WaitingCall<Input, Output>[] = [];
  private closed = false;

  constructor(private readonly options: PoolOptions) {}

  /** Input and output are copied as `structuredClone` does; what is in `transfer` is moved instead. */
  run(input: Input, transfer: readonly TransferListItem[] = []): Promise<Output> {
    return new Promise((resolve, reject) => {
      if (this.closed) throw new ThreadDied('the pool is closed');
      this.waiting.push({ input, transfer, resolve, reject });
      this.assign();
    });
  }

  /** Ends all threads; calls that wait or run are rejected with `ThreadDied`. */
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
    // Only one that has really ended makes room: a thread in native code cannot be stopped at once.
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
