import { RequestFault } from '../http/outgoing-request-error.js';

interface Host {
  running: number;
  waiting: Set<() => void>;
}

interface WaitOptions {
  ms: number;
  signal?: AbortSignal | undefined;
}

export class HostSemaphore {
  private readonly hosts = new Map<string, Host>();

  constructor(private readonly limit: number) {}

  async run<T>(host: string, wait: WaitOptions, work: () => Promise<T>): Promise<T> {
    await this.enter(host, wait);
    try {
      return await work();
    } finally {
      this.leave(host);
    }
  }

  private enter(name: string, wait: WaitOptions): Promise<void> {
    const host = this.hosts.get(name) ?? { running: 0, waiting: new Set() };
    this.hosts.set(name, host);
    if (host.running === this.limit) return this.waitInLine(host, wait);
    host.running += 1;
    return Promise.resolve();
  }

  private waitInLine({ waiting }: Host, { ms, signal }: WaitOptions): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const leaveLine = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        waiting.delete(proceed);
      };
      const proceed = () => {
        leaveLine();
        resolve();
      };
      const giveUp = () => {
        leaveLine();
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        leaveLine();
        reject(new RequestFault('HOST_BUSY', `was still busy with ${this.limit} other requests after ${ms / 1000} s`));
      }, ms);
      signal?.addEventListener('abort', giveUp);
      waiting.add(proceed);
    });
  }

  /** Hands the place to the next waiter directly, so that no newcomer can take it in between. */
  private leave(name: string): void {
    const host = this.hosts.get(name);
    if (!host) return;
    const [next] = host.waiting;
    if (next) next();
    else if (host.running > 1) host.running -= 1;
    else this.hosts.delete(name);
  }
}
