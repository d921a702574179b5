import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../src/platform/log/log.js';

export interface Circumstances {
  log: Log;
  /** Aborted when the demo ends. */
  signal: AbortSignal;
}

/** Logs a failed request, so that the other visitors continue. */
export async function attempt(act: () => Promise<unknown>, { log, signal }: Circumstances): Promise<void> {
  try {
    await act();
  } catch (err) {
    signal.throwIfAborted();
    log.warn({ event: 'demo_request_failed', err }, 'A request of the demo failed');
  }
}

/** Repeats an action until the demo ends. */
export async function again(everyMs: number, act: () => Promise<unknown>, around: Circumstances): Promise<never> {
  for (;;) {
    await attempt(act, around);
    await sleep(everyMs, undefined, { signal: around.signal });
  }
}
