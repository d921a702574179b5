import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { Activity } from '../../auth/users/activity.js';
import { users } from '../../auth/users/users.table.js';
import type { Db } from '../../platform/database/database.js';
import type { RowJob } from '../../platform/jobs/job-catalogue.js';
import type { WaitingRow } from '../../platform/jobs/job-rows.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { Clock } from '../../platform/time/clock.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { follows } from '../../sources/follows.table.js';
import type { IntervalRules } from '../intervals/interval.js';
import { INTERVAL_RULES } from '../intervals/interval-rules.js';
import type { FetchCause, FetchJob } from '../run/fetch-jobs.js';
import { SourceCatalogue } from '../source-catalogue.js';
import { type HeldRow, holdRows, withFollowers, writeDemand } from './demand-rows.js';
import { loseFollowers } from './lost-followers.js';
import { lostFollowers } from './lost-followers.table.js';
import { putRequestedToWork } from './requested-fetches.js';
import { tierPriority } from './tier-priority.js';

export type AfterCommit = () => Promise<void>;

/** The user's row is locked first, so that nobody becomes active or inactive meanwhile, then sources by their ids. */
@Injectable()
export class ActiveFollowers implements OnModuleInit {
  constructor(
    private readonly activity: Activity,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly catalogue: SourceCatalogue,
    @Inject(INTERVAL_RULES) private readonly rules: IntervalRules,
  ) {}

  onModuleInit() {
    this.activity.onReturn((db, userId) => this.returned(db, userId));
    this.activity.onRetire(loseFollowers);
  }

  async followed(db: Db, userId: string, sourceIds: string[]): Promise<AfterCommit> {
    const counts = await isActive(db, userId);
    const rows = await holdRows(db, inArray(fetchStates.id, sourceIds));
    const now = counts ? await this.count(db, rows, 1) : rows;
    // A user's first request may follow before it makes them active, so new and gone sources are fetched anyway.
    const wanted = now.filter((row) => this.isDue(row) || isNew(row) || row.goneAt !== null);
    return this.putRequestedToWork(db, wanted, { userId, cause: 'follow' });
  }

  async unfollowed(db: Db, userId: string, sourceIds: string[]): Promise<void> {
    if (!(await isActive(db, userId))) return;
    await this.count(db, await holdRows(db, inArray(fetchStates.id, sourceIds)), -1);
  }

  async maxDelayChanged(db: Db, userId: string, sourceId: string): Promise<AfterCommit> {
    if (!(await isActive(db, userId))) return async () => undefined;
    const rows = await holdRows(db, eq(fetchStates.id, sourceId));
    const changed = await this.write(db, rows, ({ activeFollowers }) => activeFollowers);
    return this.putToWork(
      db,
      changed.filter((row) => this.isDue(row)),
      'follow',
    );
  }

  /** A follower who becomes active or inactive at the same moment may be missed until the next full count. */
  async merged(db: Db, sourceId: string): Promise<AfterCommit> {
    const rows = await holdRows(db, eq(fetchStates.id, sourceId));
    // Followers who were lost are subtracted later.
    const lost = sql`coalesce((SELECT followers FROM ${lostFollowers} WHERE source_id = ${sourceId}), 0)`;
    const [counted] = await db
      .select({ active: sql<number>`(count(*) + ${lost})::int` })
      .from(follows)
      .innerJoin(users, and(eq(users.id, follows.userId), users.active))
      .where(eq(follows.sourceId, sourceId));
    const changed = await this.write(db, rows, () => counted?.active ?? 0);
    return this.putToWork(
      db,
      changed.filter((row) => this.isDue(row)),
      'follow',
    );
  }

  async returned(db: Db, userId: string): Promise<AfterCommit> {
    const followed = db.select({ id: follows.sourceId }).from(follows).where(eq(follows.userId, userId));
    const which = sql`${inArray(fetchStates.id, followed)} AND ${fetchStates.movedTo} IS NULL`;
    const rows = await this.count(db, await holdRows(db, which), 1);
    const due = rows.filter((row) => this.isDue(row));
    return this.putRequestedToWork(db, due, { userId, cause: 'reader' });
  }

  private count(db: Db, rows: HeldRow[], more: 1 | -1): Promise<HeldRow[]> {
    return this.write(db, rows, ({ activeFollowers }) => Math.max(0, activeFollowers + more));
  }

  private async write(db: Db, rows: HeldRow[], followersOf: (row: HeldRow) => number): Promise<HeldRow[]> {
    const at = { rules: this.rules, now: this.clock.now() };
    const maxDelays = await shortestMaxDelays(db, rows);
    const changed = rows.map((row) =>
      withFollowers(row, { activeFollowers: followersOf(row), maxDelaySeconds: maxDelays.get(row.id) ?? null }, at),
    );
    await writeDemand(db, changed);
    return changed;
  }

  private isDue({ nextFetchAt, isWaiting }: HeldRow): boolean {
    return !isWaiting && nextFetchAt !== null && nextFetchAt <= this.clock.now();
  }

  private putToWork(db: Db, wanted: HeldRow[], cause: FetchCause): Promise<AfterCommit> {
    return this.start(wanted, (job, ids) => job.rows.putToWork(db, ids, { priority: tierPriority, cause }));
  }

  private putRequestedToWork(
    db: Db,
    wanted: HeldRow[],
    request: { userId: string; cause: FetchCause },
  ): Promise<AfterCommit> {
    return this.start(wanted, async (job, ids) => {
      const rows: WaitingRow[] = [];
      for await (const some of putRequestedToWork(db, job, ids, request)) rows.push(...some);
      return rows;
    });
  }

  private async start(
    wanted: HeldRow[],
    putToWork: (job: RowJob<FetchJob>, ids: string[]) => Promise<WaitingRow[]>,
  ): Promise<AfterCommit> {
    const started: [RowJob<FetchJob>, WaitingRow[]][] = [];
    for (const [type, job] of this.catalogue.jobs) {
      const ids = wanted.filter((row) => row.type === type).map(({ id }) => id);
      if (ids.length) started.push([job, await putToWork(job, ids)]);
    }
    return async () => {
      for (const [job, waiting] of started) await this.jobs.enqueueRows(job, waiting);
    };
  }
}

async function shortestMaxDelays(db: Db, rows: HeldRow[]): Promise<Map<string, number>> {
  const ids = rows.map(({ id }) => id);
  const found = await db
    .select({ id: follows.sourceId, seconds: sql<number>`min(${follows.maxDelayMinutes}) * 60` })
    .from(follows)
    .innerJoin(users, and(eq(users.id, follows.userId), users.active))
    .where(sql`${follows.sourceId} = ANY(${sql.param(ids)}::bigint[]) AND ${follows.maxDelayMinutes} IS NOT NULL`)
    .groupBy(follows.sourceId);
  return new Map(found.map(({ id, seconds }) => [id, seconds]));
}

async function isActive(db: Db, userId: string): Promise<boolean> {
  const [user] = await db.select({ active: users.active }).from(users).where(eq(users.id, userId)).for('share');
  return user?.active ?? false;
}

const isNew = ({ lastFetchAt }: HeldRow) => lastFetchAt === null;
