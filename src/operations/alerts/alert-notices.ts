import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOG, type Log } from '../../platform/log/log.js';
import { Clock } from '../../platform/time/clock.js';
import { Periodic } from '../../platform/time/periodic.js';
import { AlertNoticesStore, NOTICE_LEASE_MS, type TakenNotice } from './alert-notices.store.js';
import { type AlertNotice, AlertWebhook } from './alert-webhook.js';

const INTERVAL_MS = 2_000;
const FORGET_INTERVAL_MS = 3_600_000;
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 15 * 60_000;
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

/** Where notices wait. A notice that was taken belongs to its taker for the lease. */
interface Outbox {
  take(): Promise<TakenNotice[]>;
  tryAgain(id: string, afterMs: number): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Notices are sent without the queue, which may be what is broken. An outage of PostgreSQL is reported from memory. */
@Injectable()
export class AlertNotices implements OnApplicationBootstrap {
  private readonly memory: MemoryOutbox;

  constructor(
    @Inject(LOG) private readonly log: Log,
    private readonly periodic: Periodic,
    private readonly store: AlertNoticesStore,
    private readonly webhook: AlertWebhook,
    clock: Clock,
  ) {
    this.memory = new MemoryOutbox(clock);
  }

  onApplicationBootstrap() {
    this.periodic.every(FORGET_INTERVAL_MS, 'old alert notices', () => this.store.forget());
    if (!this.webhook.isConfigured) return;
    this.periodic.every(INTERVAL_MS, 'alert notices', () => this.deliver());
    this.periodic.every(INTERVAL_MS, 'alert notices from memory', () => this.deliverFromMemory());
  }

  /** Call this only in a process with the scheduler role, because no other sends from memory. */
  addToMemory(notice: AlertNotice): void {
    if (this.webhook.isConfigured) this.memory.add(notice);
  }

  deliver(): Promise<void> {
    return this.deliverAll(this.store);
  }

  deliverFromMemory(): Promise<void> {
    return this.deliverAll(this.memory);
  }

  private async deliverAll(outbox: Outbox): Promise<void> {
    for (let taken = await outbox.take(); taken.length; taken = await outbox.take())
      await Promise.all(taken.map((notice) => this.attempt(outbox, notice)));
  }

  private async attempt(outbox: Outbox, { id, body, attempts, ageMs }: TakenNotice): Promise<void> {
    const reason = await this.webhook.send(body);
    if (reason === undefined) return outbox.remove(id);
    const { code, subject, event } = body;
    const about = { alert: { code, subject, event }, attempts, reason };
    const afterMs = nextTryAfterMs({ attempts, ageMs });
    if (afterMs !== undefined) {
      this.log.warn({ event: 'alert_notice_failed', ...about }, 'The alert webhook did not accept a notice, retrying');
      return outbox.tryAgain(id, afterMs);
    }
    this.log.error(
      { event: 'alert_notice_dropped', ...about },
      'The alert webhook has not accepted a notice for a day, giving up',
    );
    return outbox.remove(id);
  }
}

/** Returns the delay after a failed attempt in milliseconds, or undefined if the notice has been tried for too long. */
export function nextTryAfterMs({ attempts, ageMs }: { attempts: number; ageMs: number }): number | undefined {
  if (ageMs >= GIVE_UP_AFTER_MS) return undefined;
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1));
}

interface WaitingNotice {
  body: AlertNotice;
  attempts: number;
  createdAtMs: number;
  nextTryAtMs: number;
}

class MemoryOutbox implements Outbox {
  private readonly waiting: WaitingNotice[] = [];

  constructor(private readonly clock: Clock) {}

  add(body: AlertNotice): void {
    const nowMs = this.clock.now().getTime();
    this.waiting.push({ body, attempts: 0, createdAtMs: nowMs, nextTryAtMs: nowMs });
  }

  async take(): Promise<TakenNotice[]> {
    const [first] = this.waiting;
    const nowMs = this.clock.now().getTime();
    if (!first || nowMs < first.nextTryAtMs) return [];
    first.attempts++;
    first.nextTryAtMs = nowMs + NOTICE_LEASE_MS;
    const { body, attempts, createdAtMs } = first;
    return [{ id: body.id, body, attempts, ageMs: nowMs - createdAtMs }];
  }

  async tryAgain(id: string, afterMs: number): Promise<void> {
    const notice = this.waiting.find(({ body }) => body.id === id);
    if (notice) notice.nextTryAtMs = this.clock.now().getTime() + afterMs;
  }

  async remove(id: string): Promise<void> {
    const place = this.waiting.findIndex(({ body }) => body.id === id);
    if (place >= 0) this.waiting.splice(place, 1);
  }
}
