import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { RequestFault } from '../http/outgoing-request-error.js';
import type { BackgroundWork } from '../http/request-limits.js';
import { databaseTime } from '../time/database-time.js';
import { HostBackoffs } from './host-backoffs.js';
import { HostLimits } from './host-limits.js';
import { HostSemaphore } from './host-semaphore.js';
import { RequestSlots, spacingMs } from './request-slots.js';

const WRITE_TIMEOUT_MS = 10_000;
/** Maximum reservation in advance for a capped request (ms), so that no user reserves a host. */
const PACE_TIMEOUT_MS = 1_000;
/** A continuing request may wait for at least this many slots, because the slots it has used would be wasted. */
const MIN_SLOTS_TO_CONTINUE = 5;
/** Maximum random delay in milliseconds that keeps requests from asking for one slot at the same moment. */
const STAGGER_MS = 50;

interface HostRequest {
  patienceMs: number;
  signal: AbortSignal | undefined;
  skipsLine: boolean;
  isWrite: boolean;
  isContinuation: boolean;
  background: BackgroundWork | undefined;
}

type Attempt<T> = { done: T } | { retryInMs: number };

@Injectable()
export class HostGate {
  private readonly semaphore: HostSemaphore;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'hostConcurrency'>,
    private readonly backoffs: HostBackoffs,
    private readonly limits: HostLimits,
    private readonly slots: RequestSlots,
  ) {
    this.semaphore = new HostSemaphore(config.hostConcurrency);
  }

  /** A request that waits for a slot leaves the semaphore, so that others have an equal chance. */
  async pass<T>(url: URL, request: HostRequest, work: (host: string) => Promise<T>): Promise<T> {
    const { signal, skipsLine } = request;
    const host = this.limits.hostOf(url);
    await this.keepPace(host, request);
    const endsAt = performance.now() + (await this.patienceOf(request, host));
    for (;;) {
      await this.refuseClosed(host);
      const left = { ...request, patienceMs: Math.max(0, endsAt - performance.now()) };
      const attempt = () => this.attempt(host, left, work);
      const attempted = await (skipsLine
        ? attempt()
        : this.semaphore.run(host, { ms: left.patienceMs, signal }, attempt));
      if ('done' in attempted) return attempted.done;
      await waitFor(attempted.retryInMs + Math.random() * STAGGER_MS, signal);
    }
  }

  private async keepPace(host: string, { background, isContinuation, patienceMs, signal }: HostRequest): Promise<void> {
    const perSecond = background?.maxPerSecond;
    if (perSecond === undefined) return;
    await this.refuseClosed(host);
    const limit = await this.limits.find(host);
    if (limit && limit.perMinute <= perSecond * 60) return;
    const continuingMs = isContinuation ? (MIN_SLOTS_TO_CONTINUE * 1_000) / perSecond : 0;
    const timeoutMs = Math.max(Math.min(patienceMs, PACE_TIMEOUT_MS), continuingMs);
    const { kind, ms } = await this.slots.takePaced(host, { perSecond, patienceMs: timeoutMs });
    if (kind === 'away')
      throw slotComesLater(`is sent at most ${Math.round(perSecond * 100) / 100} requests like this a second`, ms);
    if (ms > 0) await waitFor(ms, signal);
  }

  private async patienceOf({ patienceMs, isContinuation }: HostRequest, host: string): Promise<number> {
    const limit = isContinuation ? await this.limits.find(host) : undefined;
    return limit ? Math.max(patienceMs, MIN_SLOTS_TO_CONTINUE * spacingMs(limit.perMinute)) : patienceMs;
  }

  private async attempt<T>(
    host: string,
    request: HostRequest,
    work: (host: string) => Promise<T>,
  ): Promise<Attempt<T>> {
    await this.refuseClosed(host);
    const limit = await this.limits.find(host);
    if (limit) {
      const { isWrite, background, signal } = request;
      const patienceMs = isWrite ? Math.min(request.patienceMs, WRITE_TIMEOUT_MS) : request.patienceMs;
      const isPlanned = background?.isPlanned ?? false;
      const { kind, ms } = await this.slots.takeLimited(host, { isWrite, isPlanned, patienceMs });
      if (kind === 'away') throw slotComesLater(`takes no more than ${limit.perMinute} requests a minute`, ms);
      // The host may have been closed while this request asked or waited for its slot.
      await this.refuseClosed(host);
      if (kind === 'soon') return { retryInMs: ms };
      if (ms > 0) {
        await waitFor(ms, signal);
        await this.refuseClosed(host);
      }
    }
    return { done: await work(host) };
  }

  private async refuseClosed(host: string): Promise<void> {
    const backoff = await this.backoffs.find(host);
    if (!backoff) return;
    const { until, reason } = backoff;
    throw new RequestFault('HOST_BACKING_OFF', `is left alone until ${until.toISOString()}: ${reason}`, { until });
  }
}

function slotComesLater(limit: string, ms: number): RequestFault {
  const until = new Date(databaseTime.nowMs() + ms);
  return new RequestFault('HOST_BUSY', `${limit}; the slot of this one comes at ${until.toISOString()}`, { until });
}

async function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal && { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
