import { posix } from 'node:path';
import { type TransferListItem, Worker } from 'node:worker_threads';
import { CPU_AT_START, THREAD_ID, type ThreadMessage } from './serve-thread.js';
import { threadCpuMs } from './thread-cpu.js';
import { arrived, ThreadDied, ThreadTimeout } from './thread-error.js';

const HERE = import.meta.url;

const REPOSITORY = new URL('../../../', HERE).href;

/** Maximum time to load the module in milliseconds, also on a busy machine. It does not count as time of the call. */
const START_MS = 30_000;
/** An idle thread ends after this time in milliseconds, because it occupies tens of megabytes. */
const IDLE_MS = 60_000;

/** Megabytes for new objects. Node's default of 48 would be multiplied by the number of busy threads. */
const MAX_YOUNG_GENERATION_MB = 16;

/** A call may wait for a core for this many times its CPU time in total. */
const MAX_WAIT_FACTOR = 20;

export interface ThreadLimits {
  /** Maximum CPU time of a call, because a busy machine is slower. Where it is unknown, this limits elapsed time. */
  timeoutMs: number;
  /** Node.js ends the process if one allocation exceeds this by far: bound the input and set several times its need. */
  memoryMb: number;
}

interface Call<Output> {
  resolve(output: Output): void;
  reject(error: Error): void;
}

export class Thread<Input, Output> {
  private readonly worker: Worker;
  private readonly shared = new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT));
  private ready = false;
  private call: Call<Output> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private end: Error | undefined;
  readonly ended: Promise<void>;

  constructor(
    module: URL,
    private readonly limits: ThreadLimits,
  ) {
    this.worker = new Worker(threadModule(module), {
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb, maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB },
      workerData: this.shared.buffer,
    });
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
      // The id is reset before the thread can begin, which writes it here.
      this.shared[THREAD_ID] = 0;
      this.worker.postMessage(input, transfer);
      this.worker.ref();
      this.call = { resolve, reject };
      this.allowStart();
    });
  }

  stop(reason: Error): void {
    if (this.end) return;
    this.end = reason;
    this.done()?.reject(reason);
    void this.worker.terminate();
  }

  private hear(message: ThreadMessage<Output>): void {
    if ('ready' in message) {
      this.ready = true;
      if (this.call) this.allowCall(this.call);
    } else if ('error' in message) this.done()?.reject(arrived(message.error));
    else this.done()?.resolve(message.output);
  }

  private allowStart(): void {
    const { call } = this;
    if (!call) return;
    if (this.ready) this.allowCall(call);
    else this.after(START_MS, call, () => this.stop(new ThreadTimeout(START_MS)));
  }

  private allowCall(call: Call<Output>): void {
    const { timeoutMs } = this.limits;
    const until = performance.now() + MAX_WAIT_FACTOR * timeoutMs;
    const expire = () => {
      const leftMs = timeoutMs - this.cpuMs();
      if (leftMs <= 0 || performance.now() >= until) this.stop(new ThreadTimeout(timeoutMs));
      else this.after(leftMs, call, expire);
    };
    this.after(timeoutMs, call, expire);
  }

  /** A thread that has not begun has no id yet, and on systems other than Linux it never has one. */
  private cpuMs(): number {
    const threadId = this.shared[THREAD_ID];
    if (!threadId) return process.platform === 'linux' ? 0 : Number.POSITIVE_INFINITY;
    return (threadCpuMs(threadId) ?? Number.POSITIVE_INFINITY) - (this.shared[CPU_AT_START] ?? 0);
  }

  private after(ms: number, call: Call<Output>, act: () => void): void {
    clearTimeout(this.timer);
    const ifStillRunning = () => {
      if (this.call === call) act();
    };
    // The answer may have arrived while this thread was busy, so pending messages are read first.
    this.timer = setTimeout(() => setImmediate(ifStillRunning), ms);
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

/** A thread loads JavaScript only. A program that runs from TypeScript, as in tests, gets the module from `dist/`. */
function threadModule(module: URL): URL {
  if (!HERE.endsWith('.ts') || !module.href.startsWith(REPOSITORY)) return module;
  const path = module.href.slice(REPOSITORY.length).replace(/\.ts$/, '.js');
  if (path.startsWith('dist/')) return module;
  return new URL(path.startsWith('src/') ? `dist/program/${posix.basename(path)}` : `dist/${path}`, REPOSITORY);
}
