import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { and, eq, gt, inArray, isNull, lte, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { ExpiringSet } from '../../auth/limits/expiring-set.js';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.js';
import { Database } from '../../platform/database/database.js';
import type { Log } from '../../platform/log/log.js';
import { LOG } from '../../platform/log/log.js';
import { Jobs } from '../../platform/queue/jobs.js';
import { Clock } from '../../platform/time/clock.js';
import { type FetchState, fetchStates } from '../../sources/fetch-states.table.js';
import { follows } from '../../sources/follows.table.js';
import { afterSkippedTimes } from '../intervals/skipped-times.js';
import type { FetchCause } from '../run/fetch-jobs.js';
import { SourceCatalogue } from '../source-catalogue.js';
import { putRequestedToWork, raiseRequested } from './requested-fetches.js';

/** Somebody waits for these. */
const HIGH_PRIORITY = 0;
/** A user who reads page after page asks for fresh sources with the first one only. */
const ASK_INTERVAL_MS = 10_000;

/** However often a source has failed, a reader has it fetched again after this time. */
const MAX_FAILED_WAIT_SECONDS = 3_600;

/** Fetches what somebody is about to read. */
@Injectable()
export class Freshness implements BeforeApplicationShutdown {
  private readonly askedLately = new ExpiringSet(ASK_INTERVAL_MS);
  private readonly asking = new Set<Promise<unknown>>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    private readonly catalogue: SourceCatalogue,
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
    const permitted = this.permitted();
    return this.fetch(await this.followed(userId, sourceId, permitted), { userId, only: permitted, cause: 'refresh' });
  }

  async beforeApplicationShutdown() {
    await Promise.all(this.asking);
  }

  private async fetchStale(userId: string, sourceId: string | undefined): Promise<void> {
    const now = this.clock.now();
    const { pushedUntil, failures } = fetchStates;
    const stale = and(
      this.permitted(),
      or(ne(fetchStates.jobState, 'waiting'), and(gt(fetchStates.jobPriority, HIGH_PRIORITY), notRequestedBy(userId))),
      isNull(fetchStates.goneAt),
      // Its hub pushes its news.
      this.config.publicUrl ? or(isNull(pushedUntil), lte(pushedUntil, now), gt(failures, 0)) : undefined,
      // It is fetched as soon as a worker is there.
      not(fetchStates.waitsForWorker),
      or(isNull(fetchStates.lastFetchAt), lte(fetchStates.lastFetchAt, ago(now, this.config.cacheTtlMs))),
      or(eq(failures, 0), lte(fetchStates.nextFetchAt, now), this.mayFailAgain(now)),
    );
    await this.fetch(await this.followed(userId, sourceId, stale), { userId, only: stale, cause: 'reader' });
  }

  /** A reader brings a failed source forward, the less often the more often it has failed: what is not found stays so as a rule. */
  private mayFailAgain(now: Date): SQL {
    const { failures, lastFetchAt } = fetchStates;
    const wait = sql`least(${this.config.cacheTtlMs / 1_000} * 2 ^ (least(${failures}, 20) - 1), ${MAX_FAILED_WAIT_SECONDS})`;
    return sql`${lastFetchAt} + make_interval(secs => (${wait})::float8) <= ${now}`;
  }

  /** Nobody may ask a source more often than it allows, nor than we allow ourselves. */
  private permitted(): SQL | undefined {
    const now = this.clock.now();
    const { lastFetchAt, notBefore, allows } = fetchStates;
    const allowed = sql`${lastFetchAt} + make_interval(secs => coalesce((${allows}->>'everySeconds')::float8, 0)) <= ${now}`;
    return and(
      or(isNull(lastFetchAt), and(lte(lastFetchAt, ago(now, this.config.minIntervalMs)), allowed)),
      or(isNull(notBefore), lte(notBefore, now)),
    );
  }

  /** Those of a user's sources that do not want to be left alone at this hour. */
  private async followed(userId: string, sourceId: string | undefined, which: SQL | undefined): Promise<Wanted[]> {
    const { id, type, jobState, allows } = fetchStates;
    const found = await this.database.db
      .select({ id, type, jobState, allows })
      .from(follows)
      .innerJoin(fetchStates, eq(fetchStates.id, follows.sourceId))
      .where(
        and(
          eq(follows.userId, userId),
          isNull(fetchStates.movedTo),
          sourceId ? eq(follows.sourceId, sourceId) : undefined,
          inArray(fetchStates.type, [...this.catalogue.jobs.keys()]),
          which,
        ),
      );
    const now = this.clock.now();
    return found.filter(({ allows }) => afterSkippedTimes(now, allows) <= now);
  }

  /** Puts sources to work of which `only` still holds, and makes some of those more urgent that wait already. */
  private async fetch(wanted: Wanted[], request: Request): Promise<number> {
    const { db } = this.database;
    for (const [type, job] of this.catalogue.jobs) {
      const ofType = wanted.filter((one) => one.type === type);
      const idle = ofType.filter(({ jobState }) => jobState !== 'waiting').map(({ id }) => id);
      for await (const rows of putRequestedToWork(db, job, idle, request)) await this.jobs.enqueueRows(job, rows);
      const waiting = ofType.filter(({ jobState }) => jobState === 'waiting').map(({ id }) => id);
      await this.jobs.hurry(job, await raiseRequested(db, job, waiting, request));
    }
    return wanted.length;
  }
}

type Wanted = Pick<FetchState, 'id' | 'type' | 'jobState' | 'allows'>;

interface Request {
  userId: string;
  only: SQL | undefined;
  cause: FetchCause;
}

/** A user's own long list is not asked for again with every page that they read. */
const notRequestedBy = (userId: string) => or(isNull(fetchStates.jobOwner), ne(fetchStates.jobOwner, userId));

const ago = (now: Date, ms: number) => new Date(now.getTime() - ms);
