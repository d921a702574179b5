import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { and, eq, gt, inArray, isNull, lte, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { ExpiringSet } from '../../auth/limits/expiring-set.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database } from '../../platform/database/database.js';
import { jobIs, jobIsNot } from '../../platform/jobs/job-columns.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { Clock } from '../../platform/time/clock.js';
import { type FetchState, fetchStates } from '../../sources/fetch-states.table.js';
import { follows } from '../../sources/follows.table.js';
import { afterSkippedTimes } from '../intervals/skipped-times.js';
import { RequestedFetches } from './requested-fetches.js';

const HIGH_PRIORITY = 0;
/** Minimum time between two refreshes for the same user and source, who may read page after page. */
const ASK_INTERVAL_MS = 10_000;

/** Maximum wait before a reader triggers a fetch of a failing source again, however often it has failed. */
const MAX_FAILED_WAIT_SECONDS = 3_600;

@Injectable()
export class Freshness implements BeforeApplicationShutdown {
  private readonly recentlyRefreshed = new ExpiringSet(ASK_INTERVAL_MS);
  private readonly pending = new Set<Promise<unknown>>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly requested: RequestedFetches,
  ) {}

  /** Runs in the background. */
  refreshStale(userId: string, sourceId?: string): void {
    if (!this.recentlyRefreshed.add(`${userId} ${sourceId ?? ''}`, this.clock.now().getTime())) return;
    const pending = this.fetchStale(userId, sourceId)
      .catch((err) => this.log.warn({ event: 'stale_refresh_failed', err, userId }, 'Could not enqueue stale sources'))
      .finally(() => this.pending.delete(pending));
    this.pending.add(pending);
  }

  /** Sources that are fresh, failing or gone are included. */
  async refresh(userId: string, sourceId?: string): Promise<number> {
    const permitted = this.permitted();
    const candidates = await this.followed(userId, sourceId, permitted);
    await this.requested.start(candidates, { userId, only: permitted, cause: 'refresh' });
    return candidates.length;
  }

  async beforeApplicationShutdown() {
    await Promise.all(this.pending);
  }

  private async fetchStale(userId: string, sourceId: string | undefined): Promise<void> {
    const now = this.clock.now();
    const { pushedUntil, failures } = fetchStates;
    const stale = and(
      this.permitted(),
      or(jobIsNot('waiting', fetchStates), and(gt(fetchStates.jobPriority, HIGH_PRIORITY), notRequestedBy(userId))),
      isNull(fetchStates.goneAt),
      // Sources whose hub pushes new posts are not polled.
      this.config.publicUrl ? or(isNull(pushedUntil), lte(pushedUntil, now), gt(failures, 0)) : undefined,
      // Sources that wait for a worker are fetched as soon as one connects.
      not(fetchStates.waitsForWorker),
      or(isNull(fetchStates.lastFetchAt), lte(fetchStates.lastFetchAt, ago(now, this.config.cacheTtlMs))),
      or(eq(failures, 0), lte(fetchStates.nextFetchAt, now), this.mayFailAgain(now)),
    );
    const candidates = await this.followed(userId, sourceId, stale);
    await this.requested.start(candidates, { userId, only: stale, cause: 'reader' });
  }

  /** Makes readers retry a failed source with exponential back-off, because most failures persist. */
  private mayFailAgain(now: Date): SQL {
    const { failures, lastFetchAt } = fetchStates;
    const wait = sql`least(${this.config.cacheTtlMs / 1_000} * 2 ^ (least(${failures}, 20) - 1), ${MAX_FAILED_WAIT_SECONDS})`;
    return sql`${lastFetchAt} + make_interval(secs => (${wait})::float8) <= ${now}`;
  }

  private permitted(): SQL | undefined {
    const now = this.clock.now();
    const { lastFetchAt, notBefore, allows } = fetchStates;
    const allowed = sql`${lastFetchAt} + make_interval(secs => coalesce((${allows}->>'everySeconds')::float8, 0)) <= ${now}`;
    return and(
      or(isNull(lastFetchAt), and(lte(lastFetchAt, ago(now, this.config.minIntervalMs)), allowed)),
      or(isNull(notBefore), lte(notBefore, now)),
    );
  }

  private async followed(
    userId: string,
    sourceId: string | undefined,
    which: SQL | undefined,
  ): Promise<RefreshCandidate[]> {
    const { id, type, allows } = fetchStates;
    const found = await this.database.db
      .select({ id, type, allows, isWaiting: jobIs('waiting', fetchStates) })
      .from(follows)
      .innerJoin(fetchStates, eq(fetchStates.id, follows.sourceId))
      .where(
        and(
          eq(follows.userId, userId),
          isNull(fetchStates.movedTo),
          sourceId ? eq(follows.sourceId, sourceId) : undefined,
          inArray(fetchStates.type, this.requested.types),
          which,
        ),
      );
    const now = this.clock.now();
    return found.filter(({ allows }) => afterSkippedTimes(now, allows) <= now);
  }
}

type RefreshCandidate = Pick<FetchState, 'id' | 'type' | 'allows'> & { isWaiting: boolean };

/** Excludes sources that the same user has requested before, so that reading on does not request a long list again. */
const notRequestedBy = (userId: string) => or(isNull(fetchStates.jobOwner), ne(fetchStates.jobOwner, userId));

const ago = (now: Date, ms: number) => new Date(now.getTime() - ms);
