import { Inject, Injectable } from '@nestjs/common';
import { eq, getTableColumns } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import { Clock } from '../../platform/time/clock.js';
import { type FetchState, fetchStates } from '../../sources/fetch-states.table.js';
import { sourceFailing } from '../../sources/source-failing.event.js';
import { sources } from '../../sources/sources.table.js';
import type { FetchFailure, NoWorker } from '../fetcher.js';
import type { IntervalRules } from '../intervals/interval.js';
import { INTERVAL_RULES } from '../intervals/interval-rules.js';
import { afterFetch, afterHostOpens, rescheduled, type Schedule } from '../schedule/next-fetch.js';
import { countedFetches } from './after-success.js';
import type { FetchedSource } from './fetch-jobs.js';

interface FailureDetails {
  isCounted?: boolean;
  slow?: boolean;
}

/** A source that has failed for this long is reported to its followers. Fetching continues. */
const FAILING_AFTER_MS = 7 * 86_400_000;

/** Failures further apart do not count as one period, because the source was paused in between. */
const TRIED_LATELY_MS = 3 * 86_400_000;

/** Call this inside the transaction that ends the row's job, because it locks the row. */
@Injectable()
export class FetchStatesStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    @Inject(INTERVAL_RULES) private readonly rules: IntervalRules,
    private readonly clock: Clock,
  ) {}

  async find(sourceId: string): Promise<FetchedSource | undefined> {
    const { externalId, title, siteUrl, lastPostId, lastPostAt, createdAt } = sources;
    const [source] = await this.database.db
      .select({ ...getTableColumns(fetchStates), externalId, title, siteUrl, lastPostId, lastPostAt, createdAt })
      .from(fetchStates)
      .innerJoin(sources, eq(sources.id, fetchStates.id))
      .where(eq(fetchStates.id, sourceId));
    return source;
  }

  async failed(
    db: Db,
    sourceId: string,
    failure: FetchFailure,
    { isCounted = true, slow }: FailureDetails = {},
  ): Promise<void> {
    await this.change(db, sourceId, (state, now) => {
      const failingSince = wasTriedLately(state, now) ? (state.failingSince ?? now) : now;
      return {
        failures: state.failures + 1,
        fetches: isCounted ? countedFetches(state) : state.fetches,
        failingSince,
        failing: now.getTime() - failingSince.getTime() >= FAILING_AFTER_MS,
        goneAt: failure.code === 'GONE' ? now : state.goneAt,
        notBefore: failure.until ?? null,
        lastError: failure.message,
        slow: slow ?? state.slow,
        lastFetchAt: now,
        waitsForWorker: false,
      };
    });
  }

  /** No request was sent, because the host refuses requests until then. */
  async hostClosed(db: Db, sourceId: string, { until, reason }: { until: Date; reason: string }): Promise<void> {
    const state = await this.current(db, sourceId);
    if (!state) return;
    const change = { notBefore: until, lastError: state.failures ? state.lastError : reason };
    const schedule = afterHostOpens({ ...state, ...change }, this.rules, { until, random: Math.random() });
    await this.write(db, sourceId, { ...change, ...schedule });
  }

  /** No request was sent, so failures and pace stay unchanged. */
  async waitsForWorker(db: Db, sourceId: string, { message }: NoWorker): Promise<void> {
    await this.change(db, sourceId, () => ({ waitsForWorker: true, lastError: message }));
  }

  /** The source had no active followers, but it may have some again by now. */
  async skipped(db: Db, sourceId: string): Promise<void> {
    const state = await this.current(db, sourceId);
    if (!state) return;
    await this.write(db, sourceId, rescheduled({ ...state, nextFetchAt: null }, this.rules, this.clock.now()));
  }

  private async change(
    db: Db,
    sourceId: string,
    changeOf: (state: FetchState, now: Date) => Partial<FetchState>,
  ): Promise<void> {
    const state = await this.current(db, sourceId);
    if (!state) return;
    const now = this.clock.now();
    const change = changeOf(state, now);
    const schedule = afterFetch({ ...state, ...change }, this.rules, { now, random: Math.random() });
    await this.write(db, sourceId, { ...change, ...schedule });
    if (change.failing && !state.failing) await this.events.publish(db, sourceFailing, { sourceId });
  }

  private async current(db: Db, sourceId: string): Promise<FetchState | undefined> {
    const [state] = await db.select().from(fetchStates).where(eq(fetchStates.id, sourceId)).for('update');
    return state;
  }

  private async write(db: Db, sourceId: string, change: Partial<FetchState> & Schedule): Promise<void> {
    await db.update(fetchStates).set(change).where(eq(fetchStates.id, sourceId));
  }
}

function wasTriedLately({ lastFetchAt }: FetchState, now: Date): boolean {
  return lastFetchAt !== null && now.getTime() - lastFetchAt.getTime() < TRIED_LATELY_MS;
}
