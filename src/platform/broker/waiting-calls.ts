import { BrokerError } from './broker-error.js';

/** The last so many ids; the oldest are forgotten. */
class BoundedSet {
  private readonly ids = new Set<string>();

  constructor(private readonly most: number) {}

  add(id: string): void {
    this.ids.add(id);
    const [oldest] = this.ids;
    if (this.ids.size > this.most && oldest !== undefined) this.ids.delete(oldest);
  }

  /** Whether it was remembered. */
  delete(id: string): boolean {
    return this.ids.delete(id);
  }
}

export interface Call {
  /** The correlation id; of this call alone. */
  id: string;
  /** So long the answer is waited for, and so long the message lives. */
  timeoutMs: number;
  signal: AbortSignal;
}

interface WaitingCall {
  readonly queue: string;
  resolve(body: Uint8Array): void;
  reject(error: unknown): void;
}

/** Calls that have no answer yet. */
export class WaitingCalls {
  private readonly calls = new Map<string, WaitingCall>();
  /** Calls whose answers come too late, if they come. */
  private readonly givenUp = new BoundedSet(10_000);

  /** Settled by whoever takes the call; by itself when its time is up or its signal aborts. */
  add(queue: string, { id, timeoutMs, signal }: Call): Promise<Uint8Array> {
    signal.throwIfAborted();
    if (this.calls.has(id)) throw new Error(`a call ${id} waits already`);
    const timer = setTimeout(() => {
      this.giveUp(id, new BrokerError('NO_ANSWER', `no answer on ${queue} within ${timeoutMs / 1_000} seconds`));
    }, timeoutMs);
    const abort = () => this.giveUp(id, signal.reason);
    signal.addEventListener('abort', abort);
    const answer = new Promise<Uint8Array>((resolve, reject) => this.calls.set(id, { queue, resolve, reject }));
    return answer.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    });
  }

  has(id: string): boolean {
    return this.calls.has(id);
  }

  /** Whoever takes a call settles it. */
  take(id: string): WaitingCall | undefined {
    const call = this.calls.get(id);
    this.calls.delete(id);
    return call;
  }

  giveUp(id: string, error: unknown): void {
    this.givenUp.add(id);
    this.take(id)?.reject(error);
  }

  /** Whether the call was given up; told once. */
  wasGivenUp(id: string): boolean {
    return this.givenUp.delete(id);
  }

  queues(): Set<string> {
    return new Set([...this.calls.values()].map(({ queue }) => queue));
  }

  /** Of one queue, or of all. */
  ids(queue?: string): string[] {
    return [...this.calls].filter(([, call]) => queue === undefined || call.queue === queue).map(([id]) => id);
  }
}
