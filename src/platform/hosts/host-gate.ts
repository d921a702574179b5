import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.js';
import { CONFIG } from '../config.js';
import { RequestFault } from '../http/request-fault.js';
import { databaseTime } from '../time/database-time.js';
import { HostBackoffs } from './host-backoffs.js';
import { HostLimits } from './host-limits.js';
import { HostSemaphore } from './host-semaphore.js';
import { RequestTurns, spacingMs } from './request-slots.js';

/** So long a write waits for the turn that it takes. */
const WRITE_TIMEOUT_MS = 10_000;
/** So many turns may pass before one that goes on gets its own. */
const TURNS_TO_GO_ON = 5;
/** Those who wait for one turn do not ask for it all at once. */
const STAGGER_MS = 50;

interface Visitor {
  patienceMs: number;
  signal: AbortSignal | undefined;
  /** Does not stand in the line for the host. */
  skipsLine: boolean;
  /** Goes before reads where turns are taken. */
  isWrite: boolean;
  /** The fetch of a source. */
  isFetch: boolean;
  /** Has spent a turn already, perhaps at this host. */
  goesOn: boolean;
}

type Passage<T> = { done: T } | { againInMs: number };

/** Lets requests through to a host: none while it is closed, a few at once, and where it has a limit each in its turn. */
@Injectable()
export class HostGate {
  private readonly line: HostSemaphore;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'hostConcurrency'>,
    private readonly backoffs: HostBackoffs,
    private readonly limits: HostLimits,
    private readonly turns: RequestTurns,
  ) {
    this.line = new HostSemaphore(config.hostConcurrency);
  }

  /** Who waits for a turn leaves the line meanwhile: others of more or less patience have the same chance to get it. */
  async pass<T>(host: string, visitor: Visitor, work: () => Promise<T>): Promise<T> {
    const { signal, skipsLine } = visitor;
    const endsAt = performance.now() + (await this.patienceOf(visitor, host));
    for (;;) {
      await this.refuseClosed(host);
      const left = { ...visitor, patienceMs: Math.max(0, endsAt - performance.now()) };
      const attempt = () => this.attempt(host, left, work);
      const passage = await (skipsLine ? attempt() : this.line.run(host, { ms: left.patienceMs, signal }, attempt));
      if ('done' in passage) return passage.done;
      await waitFor(passage.againInMs + Math.random() * STAGGER_MS, signal);
    }
  }

  private async patienceOf({ patienceMs, goesOn }: Visitor, host: string): Promise<number> {
    const limit = goesOn ? await this.limits.find(host) : undefined;
    return limit ? Math.max(patienceMs, TURNS_TO_GO_ON * spacingMs(limit.perMinute)) : patienceMs;
  }

  private async attempt<T>(host: string, visitor: Visitor, work: () => Promise<T>): Promise<Passage<T>> {
    await this.refuseClosed(host);
    const limit = await this.limits.find(host);
    if (limit) {
      const { isWrite, patienceMs } = visitor;
      const patience = isWrite ? Math.min(patienceMs, WRITE_TIMEOUT_MS) : patienceMs;
      const { kind, ms } = await this.turns.take(host, { ...visitor, patienceMs: patience });
      if (kind === 'away') throw turnComesLater(limit.perMinute, ms);
      // It may have been closed while this one asked for its turn, or waited for it.
      await this.refuseClosed(host);
      if (kind === 'soon') return { againInMs: ms };
      if (ms > 0) {
        await waitFor(ms, visitor.signal);
        await this.refuseClosed(host);
      }
    }
    return { done: await work() };
  }

  private async refuseClosed(host: string): Promise<void> {
    const backoff = await this.backoffs.find(host);
    if (!backoff) return;
    const { until, reason } = backoff;
    throw new RequestFault('HOST_BACKING_OFF', `is left alone until ${until.toISOString()}: ${reason}`, { until });
  }
}

function turnComesLater(perMinute: number, ms: number): RequestFault {
  const until = new Date(databaseTime.nowMs() + ms);
  const limit = `takes no more than ${perMinute} requests a minute`;
  return new RequestFault('HOST_BUSY', `${limit}; the turn of this one comes at ${until.toISOString()}`, { until });
}

async function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal && { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
