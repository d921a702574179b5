import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { sql } from 'drizzle-orm';
import { onTestFinished } from 'vitest';
import { Database } from '../../src/platform/database/database.js';
import { platformSlots } from '../../src/publishing/limits/platform-slots.table.js';
import { PublishScheduler } from '../../src/publishing/sending/publish-scheduler.js';
import type { TestClock } from '../harness/api.js';

/** The clock of one Millrace. It follows real time until the test moves or stops it. */
export class MovedTime {
  aheadMs = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly app: NestFastifyApplication,
    private readonly clock: TestClock,
  ) {
    this.timer = setInterval(() => this.set(Date.now() + this.aheadMs), 10);
    onTestFinished(() => clearInterval(this.timer));
  }

  readonly now = (): Date => this.clock.now();

  /** Limits use the clock of the database, which cannot be moved, so their records are moved instead. */
  async pass(ms: number): Promise<void> {
    this.aheadMs += ms;
    this.set(this.now().getTime() + ms);
    const ago = sql`make_interval(secs => ${ms / 1_000})`;
    await this.app.get(Database).db.execute(sql`
      UPDATE ${platformSlots} SET taken_at = taken_at - ${ago}, ended_at = ended_at - ${ago}`);
    await this.handOut();
  }

  /** Continues where the clock of another Millrace on the same database was. */
  async follow(other: MovedTime): Promise<void> {
    this.aheadMs = other.aheadMs;
    this.set(Date.now() + this.aheadMs);
    await this.handOut();
  }

  /** From now on it stands still at one moment after another. */
  async standAt(moment: string): Promise<void> {
    clearInterval(this.timer);
    this.set(Date.parse(moment));
    await this.handOut();
  }

  /** Runs a round as the scheduler does every second. */
  handOut(): Promise<void> {
    return this.app.get(PublishScheduler).run();
  }

  private set(ms: number): void {
    this.clock.advance(ms - this.now().getTime());
  }
}
