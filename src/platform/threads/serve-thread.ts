import { parentPort, workerData } from 'node:worker_threads';
import { nameSourcesInStackTraces } from '../errors/stack-traces.js';
import { ownThreadId, threadCpuMs } from './thread-cpu.js';
import { type CarriedError, carry } from './thread-error.js';

export type ThreadMessage<Output> = { ready: true } | { output: Output } | { error: CarriedError };

/** Indices of the memory shared with the pool: the thread's id in the system, and its CPU time when its call began. */
export const THREAD_ID = 0;
export const CPU_AT_START = 1;

export function serveThread<Input, Output>(work: (input: Input) => Output | Promise<Output>): void {
  const port = parentPort;
  if (!port) throw new Error('serveThread() works in a thread only');
  nameSourcesInStackTraces();
  const post = (message: ThreadMessage<Output>) => port.postMessage(message);
  const shared = workerData instanceof SharedArrayBuffer ? new Float64Array(workerData) : undefined;
  const threadId = ownThreadId();
  port.on('message', async (input: Input) => {
    if (shared && threadId !== undefined) {
      shared[CPU_AT_START] = threadCpuMs(threadId) ?? 0;
      shared[THREAD_ID] = threadId;
    }
    try {
      post({ output: await work(input) });
    } catch (error) {
      post({ error: carry(error) });
    }
  });
  post({ ready: true });
}
