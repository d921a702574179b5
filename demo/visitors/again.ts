import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../src/platform/log/log.js';

export interface Circumstances {
  log: Log;
  /** Aborted when the demo ends. */
  signal: AbortSignal;
}

/** One who is turned away does not keep the others from going on. */
export async function attempt(act: () => Promise<unknown>, { log, signal }: Circumstances): Promise<void> {
  try {
    await act();
  } catch (err) {
    signal.throwIfAborted();
    log.warn({ err }, 'a visitor of the demo was turned away');
  }
}

/** Until the demo ends. */
export async function again(everyMs: number, act: () => Promise<unknown>, around: Circumstances): Promise<never> {
  for (;;) {
    await attempt(act, around);
    await sleep(everyMs, undefined, { signal: around.signal });
  }
}
