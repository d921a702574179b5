import { parentPort } from 'node:worker_threads';
import { type CarriedError, carry } from './thread-error.js';

/** What a thread tells its pool: that it has loaded, then how each call ended. */
export type ThreadMessage<Output> = { ready: true } | { output: Output } | { error: CarriedError };

/** Makes a module one that a `ThreadPool` runs: called with each input, one at a time. */
export function serveThread<Input, Output>(work: (input: Input) => Output | Promise<Output>): void {
  const port = parentPort;
  if (!port) throw new Error('serveThread() works in a thread only');
  const tell = (message: ThreadMessage<Output>) => port.postMessage(message);
  port.on('message', async (input: Input) => {
    try {
      tell({ output: await work(input) });
    } catch (error) {
      tell({ error: carry(error) });
    }
  });
  tell({ ready: true });
}
