import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { and, eq, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { SeenLately } from '../auth/seen-lately.js';
import { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config.js';
import { CONFIG } from '../platform/config.token.js';
import { Database } from '../platform/database/database.js';
import type { Log } from '../platform/log/log.js';
import { LOG } from '../platform/log/log.token.js';
import { Jobs } from '../platform/queue/jobs.js';
import { fetchStates } from '../sources/fetch-states.table.js';
import { follows } from '../sources/follows.table.js';
import { fetchJobs } from './fetch-jobs.js';

/** Somebody waits for these. */
const HIGH_PRIORITY = 0;
/** A user who reads page after page asks for fresh sources with the first one only. */
const ASK_EVERY_MS = 10_000;

/** Fetches what somebody is about to read. */
@Injectable()
export class Freshness implements BeforeApplicationShutdown {
  private readonly askedLately = new SeenLately(ASK_EVERY_MS);
  private readonly asking = new Set<Promise<unknown>>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /** Has those of a user's sources fetched that were fetched longer ago than timelines are cached. Nobody waits for it. */
  wanted(userId: string, sourceId?: string): void {
    if (!this.askedLately.add(`${userId} ${sourceId ?? ''}`, this.clock.now().getTime())) return;
    const asking = this.fetchStale(userId, sourceId)
      .catch((err) => this.log.warn({ err, userId }, 'stale sources could not be put to work'))
      .finally(() => this.asking.delete(asking));
    this.asking.add(asking);
  }

  /** Has a user's sources fetched now, also those that are fresh, fail or are gone. Returns how many will be. */
  async refresh(userId: string, sourceId?: string): Promise<number> {
    const rows = await this.followed(userId, sourceId, and(...this.permitted()));
    await this.putToWork(rows.filter(({ waiting }) => !waiting));
    await this.hurry(rows.filter(({ waiting }) => waiting));
    return rows.length;
  }

  async beforeApplicationShutdown() {
    await Promise.all(this.asking);
  }

  private async fetchStale(userId: string, sourceId: string | undefined): Promise<void> {
    const now = this.clock.now();
    const stale = and(
      ...this.permitted(),
      sql`${fetchStates.jobState} <> 'waiting'`,
      isNull(fetchStates.goneAt),
      or(isNull(fetchStates.lastFetchAt), lte(fetchStates.lastFetchAt, ago(now, this.config.cacheTtlMs))),
      // One that failed waits for its turn.
      or(eq(fetchStates.failures, 0), lte(fetchStates.nextFetchAt, now)),
    );
    await this.putToWork(await this.followed(userId, sourceId, stale));
  }

  /** Nobody may ask a source more often than it allows, nor than we allow ourselves. */
  private permitted(): (SQL | undefined)[] {
    const now = this.clock.now();
    const { lastFetchAt, notBefore, allows } = fetchStates;
    const allowed = sql`${lastFetchAt} + make_interval(secs => coalesce((${allows}->>'everySeconds')::float8, 0)) <= ${now}`;
    return [
      or(isNull(lastFetchAt), and(lte(lastFetchAt, ago(now, this.config.minIntervalMs)), allowed)),
      or(isNull(notBefore), lte(notBefore, now)),
    ];
  }

  private followed(userId: string, sourceId: string | undefined, which: SQL | undefined): Promise<Wanted[]> {
    return this.database.db
      .select({
        id: fetchStates.id,
        type: fetchStates.type,
        waiting: sql<boolean>`${fetchStates.jobState} = 'waiting'`,
      })
      .from(follows)
      .innerJoin(fetchStates, eq(fetchStates.id, follows.sourceId))
      .where(
        and(
          eq(follows.userId, userId),
          sourceId ? eq(follows.sourceId, sourceId) : undefined,
          inArray(fetchStates.type, [...fetchJobs.keys()]),
          which,
        ),
      );
  }

  private async putToWork(wanted: Wanted[]): Promise<void> {
    for (const [type, job] of fetchJobs) {
      const ids = idsOf(wanted, type);
      if (!ids.length) continue;
      const start = { at: new Date(), priority: HIGH_PRIORITY };
      await this.jobs.enqueueRows(job, await job.rows.putToWork(this.database.db, ids, start));
    }
  }

  private async hurry(wanted: Wanted[]): Promise<void> {
    for (const [type, job] of fetchJobs) {
      const ids = idsOf(wanted, type);
      if (!ids.length) continue;
      await this.jobs.hurry(job, await job.rows.raise(this.database.db, ids, HIGH_PRIORITY));
    }
  }
}

interface Wanted {
  id: string;
  type: string;
  waiting: boolean;
}

const idsOf = (wanted: Wanted[], type: string) => wanted.filter((one) => one.type === type).map(({ id }) => id);
const ago = (now: Date, ms: number) => new Date(now.getTime() - ms);
