import { Inject, Injectable } from '@nestjs/common';
import { type SQL, sql } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import { deadLetters } from '../../platform/jobs/dead-letters/dead-letters.table.js';
import { jobIs, jobIsNot } from '../../platform/jobs/job-columns.js';
import type { WaitingRow } from '../../platform/jobs/job-rows.js';
import { accounts } from '../accounts/accounts.table.js';
import { publicationChanged } from '../publications/publication-changed.event.js';
import { publicationChanges, publications } from '../publications/publications.table.js';
import type { WAITS_FOR } from '../publications/why-it-waits.js';
import { publishJobs } from './publish-jobs.js';
import { PublishMetrics } from './publish-metrics.js';

interface DueQuery {
  platform: string;
  now: Date;
  limit: number;
  /** Users without calls that count and without publications in the queue are left out. */
  capacityOfUsers: Map<string, number>;
  capacityOfOthers: number;
  queued: Map<string, number>;
  notOf?: string[];
}

/** The priority of a job has this many places per publication priority; no user has more publications in the queue. */
const PLACES = 1_000;

@Injectable()
export class DuePublicationsStore {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly events: Events,
    private readonly metrics: PublishMetrics,
  ) {}

  async waitingByPlatform(now: Date): Promise<Map<string, number>> {
    const { rows } = await this.database.db.execute<{ platform: string; waiting: number }>(sql`
      SELECT platform, count(*)::int AS waiting FROM ${publications}
      WHERE status IN ('scheduled', 'queued') AND scheduled_at <= ${now.toISOString()}::timestamptz GROUP BY platform`);
    return new Map(rows.map(({ platform, waiting }) => [platform, waiting]));
  }

  /** Publications in the queue do not occupy a slot yet. */
  async queuedByUser(platform: string): Promise<Map<string, number>> {
    const { rows } = await this.database.db.execute<{ userId: string; queued: number }>(sql`
      SELECT user_id AS "userId", count(*)::int AS queued FROM ${publications}
      WHERE platform = ${platform} AND ${jobIs('waiting')} AND status = 'queued' GROUP BY user_id`);
    return new Map(rows.map(({ userId, queued }) => [userId, queued]));
  }

  /** Takes by priority, then round-robin over users, then by due time. Concurrent callers never take the same row. */
  async take({
    platform,
    now,
    limit,
    capacityOfUsers,
    capacityOfOthers,
    queued,
    notOf = [],
  }: DueQuery): Promise<WaitingRow[]> {
    const job = publishJobs.get(platform);
    if (!job || limit < 1) return [];
    const at = now.toISOString();
    return this.database.transaction(async (db) => {
      const { rows } = await db.execute<{ id: string; userId: string; rank: number }>(sql`
        SELECT id, user_id AS "userId", rank FROM ${publications} JOIN (
          SELECT id AS chosen_id, row_number() OVER (ORDER BY priority, turn, scheduled_at, id)::int AS rank FROM (
            SELECT due.id, due.priority, due.scheduled_at,
              row_number() OVER (PARTITION BY due.user_id ORDER BY due.priority, due.scheduled_at, due.id) AS place,
              row_number() OVER (PARTITION BY due.user_id, due.priority ORDER BY due.scheduled_at, due.id) AS turn,
              coalesce(known.capacity, ${capacityOfOthers}::int) AS capacity
            FROM ${publications} AS due JOIN ${accounts} AS account ON account.id = due.account_id
            LEFT JOIN unnest(${sql.param([...capacityOfUsers.keys()])}::bigint[], ${sql.param([...capacityOfUsers.values()])}::int[])
              AS known (user_id, capacity) ON known.user_id = due.user_id
            WHERE due.platform = ${platform} AND due.user_id <> ALL(${sql.param(notOf)}::bigint[]) AND due.status = 'scheduled' AND ${jobIsNot('waiting', 'due')}
              AND due.scheduled_at <= ${at}::timestamptz AND coalesce(due.not_before <= ${at}::timestamptz, true)
              AND coalesce(account.closed_until <= ${at}::timestamptz, true)
          ) AS placed
          WHERE place <= capacity ORDER BY rank LIMIT ${limit}
        ) AS chosen ON id = chosen_id
        WHERE status = 'scheduled' AND ${jobIsNot('waiting')} ORDER BY id FOR UPDATE OF ${publications} SKIP LOCKED`);
      const ids = rows.map(({ id }) => id);
      if (!ids.length) return [];
      await db.execute(sql`
        INSERT INTO ${publicationChanges} (publication_id, at, "from", "to", reason)
        SELECT id, ${at}::timestamptz, 'scheduled', 'queued', 'its time has come' FROM unnest(${sql.param(ids)}::bigint[]) AS id`);
      const ranks = new Map(rows.map(({ id, rank }) => [id, rank]));
      const byRank = (a: { id: string }, b: { id: string }) => (ranks.get(a.id) ?? 0) - (ranks.get(b.id) ?? 0);
      const waiting = await job.rows.putToWork(db, ids, {
        priority: inTurn(rows.toSorted(byRank), queued),
        owner: sql`user_id`,
        set: sql`status = 'queued'`,
      });
      // The queue keeps the order of insertion for jobs of equal priority.
      return waiting.toSorted(byRank);
    });
  }

  async takeForReconciliation(platform: string, now: Date): Promise<WaitingRow[]> {
    const job = publishJobs.get(platform);
    if (!job) return [];
    const { rows } = await this.database.db.execute<{ id: string }>(sql`
      SELECT id FROM ${publications} WHERE platform = ${platform} AND status = 'publishing' AND ${jobIsNot('waiting')}
        AND coalesce(not_before <= ${now.toISOString()}::timestamptz, true) LIMIT 100`);
    const only = sql`status = 'publishing'`;
    return job.rows.putToWork(
      this.database.db,
      rows.map(({ id }) => id),
      { only, owner: sql`user_id` },
    );
  }

  async expire(now: Date): Promise<void> {
    const at = now.toISOString();
    const lateAt = new Date(now.getTime() - this.config.publishGraceMs).toISOString();
    const { rows } = await this.database.db.execute<{ publicationId: string; userId: string; platform: string }>(sql`
      WITH late AS MATERIALIZED (
        SELECT id AS late_id FROM ${publications} WHERE status = 'scheduled' AND ${jobIsNot('waiting')}
          AND (expires_at <= ${at}::timestamptz OR scheduled_at <= ${lateAt}::timestamptz)
        LIMIT 1000 FOR UPDATE SKIP LOCKED
      ), moved AS (
        UPDATE ${publications} SET status = 'expired', not_before = NULL, waiting_for = NULL
        FROM late WHERE id = late_id RETURNING id, user_id, platform, expires_at, scheduled_at
      ), noted AS (
        INSERT INTO ${publicationChanges} (publication_id, at, "from", "to", reason)
        SELECT id, ${at}::timestamptz, 'scheduled', 'expired', CASE WHEN expires_at <= ${at}::timestamptz
          THEN 'it was to be published before its expiresAt' ELSE 'it was due too long ago' END FROM moved
      )
      SELECT id AS "publicationId", user_id AS "userId", platform FROM moved`);
    const changed = rows.map(({ publicationId, userId }) => ({ publicationId, userId }));
    if (rows.length) await this.events.publishAll(this.database.db, publicationChanged, changed);
    for (const publication of rows) this.metrics.ended(publication, 'expired');
  }

  async reconsider(reason: (typeof WAITS_FOR)[keyof typeof WAITS_FOR], accountId?: string): Promise<void> {
    const ofAccount = accountId === undefined ? sql`true` : sql`account_id = ${accountId}`;
    await this.database.db.execute(sql`
      WITH held AS MATERIALIZED (
        SELECT id AS held_id FROM ${publications} WHERE status = 'scheduled' AND not_before IS NOT NULL
          AND starts_with(waiting_for, ${reason}) AND ${ofAccount} ORDER BY id FOR UPDATE SKIP LOCKED
      )
      UPDATE ${publications} SET not_before = NULL, waiting_for = NULL FROM held WHERE id = held_id`);
  }

  async countByPlatform(userId: string, now: Date): Promise<Map<string, { all: number; yours: number }>> {
    const { rows } = await this.database.db.execute<{ platform: string; all: number; yours: number }>(sql`
      SELECT platform, count(*)::int AS all, count(*) FILTER (WHERE user_id = ${userId})::int AS yours
      FROM ${publications} WHERE (status = 'scheduled' AND ${jobIsNot('waiting')} AND scheduled_at <= ${now.toISOString()}::timestamptz)
        OR (${jobIs('waiting')} AND status = 'queued') GROUP BY platform`);
    return new Map(rows.map(({ platform, ...counts }) => [platform, counts]));
  }

  /** Posts that are due by priority, those that failed before, and open dead letters. */
  async countsByPlatform(now: Date): Promise<Map<string, PublicationCounts>> {
    const { rows } = await this.database.db.execute<PublicationCounts & { platform: string }>(sql`
      WITH due AS (
        SELECT platform, priority, attempts > 0 AS is_retry FROM ${publications}
        WHERE (status = 'scheduled' AND ${jobIsNot('waiting')} AND scheduled_at <= ${now.toISOString()}::timestamptz)
          OR (${jobIs('waiting')} AND status = 'queued')
      )
      SELECT name AS platform,
        count(*) FILTER (WHERE priority = 0 AND NOT is_retry)::int AS high,
        count(*) FILTER (WHERE priority = 1 AND NOT is_retry)::int AS normal,
        count(*) FILTER (WHERE priority = 2 AND NOT is_retry)::int AS low,
        count(*) FILTER (WHERE is_retry)::int AS retrying,
        (SELECT count(*)::int FROM ${deadLetters} WHERE state = 'open' AND queue = 'publish-' || name) AS dead
      FROM unnest(${sql.param([...publishJobs.keys()])}::text[]) AS name LEFT JOIN due ON platform = name GROUP BY name`);
    return new Map(rows.map(({ platform, ...counts }) => [platform, counts]));
  }

  async next(now: Date, withinMs: number): Promise<{ busy: Set<string>; inMs: number | undefined }> {
    const at = now.toISOString();
    const until = new Date(now.getTime() + withinMs).toISOString();
    const waits = sql`status IN ('scheduled', 'publishing') AND ${jobIsNot('waiting')}`;
    const { rows } = await this.database.db.execute<{ busy: string[]; next: string | Date | null }>(sql`
      SELECT
        ARRAY(SELECT name FROM unnest(${sql.param([...publishJobs.keys()])}::text[]) AS name WHERE EXISTS (
          SELECT FROM ${publications} WHERE platform = name AND ${waits} AND scheduled_at <= ${at}::timestamptz
            AND coalesce(not_before <= ${at}::timestamptz, true))) AS busy,
        least(
          (SELECT min(scheduled_at) FROM ${publications}
            WHERE status = 'scheduled' AND scheduled_at > ${at}::timestamptz AND scheduled_at <= ${until}::timestamptz),
          (SELECT min(not_before) FROM ${publications}
            WHERE ${waits} AND not_before > ${at}::timestamptz AND not_before <= ${until}::timestamptz)) AS next`);
    const [{ busy = [], next = null } = {}] = rows;
    return { busy: new Set(busy), inMs: next ? new Date(next).getTime() - now.getTime() : undefined };
  }
}

export type PublicationCounts = Record<'high' | 'normal' | 'low' | 'retrying' | 'dead', number>;

/** Each job is placed after as many jobs of every other user as its own user already has in the queue. */
function inTurn(rows: { id: string; userId: string }[], queued: Map<string, number>): SQL {
  const counts = new Map(queued);
  const places = rows.map(({ userId }) => {
    const place = counts.get(userId) ?? 0;
    counts.set(userId, place + 1);
    return Math.min(PLACES - 1, place);
  });
  const ids = sql.param(rows.map(({ id }) => id));
  return sql`priority * ${PLACES}::int + (${sql.param(places)}::int[])[array_position(${ids}::bigint[], id)]`;
}
