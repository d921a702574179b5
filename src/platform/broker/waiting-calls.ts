import { BrokerError } from './broker-error.js';

class BoundedSet {
  private readonly ids = new Set<string>();

  constructor(private readonly max: number) {}

  add(id: string): void {
    this.ids.add(id);
    const [oldest] = this.ids;
    if (this.ids.size > this.max && oldest !== undefined) this.ids.delete(oldest);
  }

  delete(id: string): boolean {
    return this.ids.delete(id);
  }
}

export interface Call {
  id: string;
  /** How long to wait for the answer, and the lifetime of the message, in milliseconds. */
  timeoutMs: number;
  /** Of the message in its queue. Queues without priorities ignore it. */
  priority?: number | undefined;
  signal: AbortSignal;
  /** Called once the message is on its way. */
  published?: () => void;
}

interface WaitingCall {
  readonly queue: string;
  resolve(body: Uint8Array): void;
  reject(error: unknown): void;
}

export class WaitingCalls {
  private readonly calls = new Map<string, WaitingCall>();
  private readonly givenUp = new BoundedSet(10_000);

  /** The promise is settled by the caller of `take`, at the timeout, or when the signal aborts. */
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

  take(id: string): WaitingCall | undefined {
    const call = this.calls.get(id);
    this.calls.delete(id);
    return call;
  }

  giveUp(id: string, error: unknown): void {
    this.givenUp.add(id);
    this.take(id)?.reject(error);
  }

  /** Returns whether the call was cancelled. The id is then forgotten, so a second query returns false. */
  wasGivenUp(id: string): boolean {
    return this.givenUp.delete(id);
  }

  queues(): Set<string> {
    return new Set([...this.calls.values()].map(({ queue }) => queue));
  }

  ids(queue?: string): string[] {
    return [...this.calls].filter(([, call]) => queue === undefined || call.queue === queue).map(([id]) => id);
  }
}
