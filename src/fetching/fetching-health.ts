import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { CONFIG, type Config, durationText } from '../platform/config.js';
import { Database, type Db } from '../platform/database/database.js';
import { alertOf, defineAlert, type FeatureHealth, type FoundAlert } from '../platform/health/alert-catalogue.js';
import { countDueRows, DueRowCounts, type DueRows } from '../platform/jobs/due-rows.js';
import { jobIsNot } from '../platform/jobs/job-columns.js';
import { posts } from '../posts/posts.table.js';
import { fetchStates } from '../sources/fetch-states.table.js';
import { sourceState } from '../sources/source-state.js';
import { sources } from '../sources/sources.table.js';
import { SourceCatalogue } from './source-catalogue.js';
import { askHubJob } from './websub/ask-hub.job.js';
import { subscriptions } from './websub/subscriptions.table.js';

export const FetchingStats = z.strictObject({
  sources: z.int(),
  active: z.int(),
  failing: z.int(),
  paused: z.int(),
  gone: z.int(),
  /** Sources that have been due for longer than configured and for longer than their own interval. */
  stale: z.int(),
  /** Delay from publication to discovery of the posts found in the last hour. Null if there were none. */
  medianDelaySeconds: z.number().nullable(),
  p95DelaySeconds: z.number().nullable(),
});
type FetchingStats = z.infer<typeof FetchingStats>;
type Counts = Omit<FetchingStats, 'medianDelaySeconds' | 'p95DelaySeconds'>;

export const DelayMinute = z.strictObject({
  at: z.iso.datetime(),
  posts: z.int(),
  medianSeconds: z.number().nullable(),
  p95Seconds: z.number().nullable(),
});
type DelayMinute = z.infer<typeof DelayMinute>;

const HOUR_MS = 3_600_000;

const SOURCES_STALE = defineAlert({
  code: 'sources_stale',
  severities: ['warning'],
  when: 'sources have been due for more than 10 minutes (`MILLRACE_ALERT_STALE`), and for longer than their own interval',
  todo: 'check that workers are running and the `fetch-…` queues move',
});

/** Posts published before their source was added are ignored, and so are posts without a date. */
const DELAY = sql`greatest(0, extract(epoch FROM ${posts.foundAt} - ${posts.publishedAt}))`;
const HAS_KNOWN_DELAY = sql`${posts.dated} AND ${posts.publishedAt} > ${sources.createdAt}`;
const MEDIAN = sql`percentile_cont(0.5) WITHIN GROUP (ORDER BY ${DELAY})`;
const P95 = sql`percentile_cont(0.95) WITHIN GROUP (ORDER BY ${DELAY})`;

export async function fetchingHealth(
  db: Db,
  { now, staleMs }: { now: Date; staleMs: number },
): Promise<FeatureHealth<FetchingStats>> {
  const [counts, delays] = [await countSources(db, { now, staleMs }), await latenessOf(db, now)];
  return { stats: { ...counts, ...delays }, alerts: staleAlerts(counts.stale, staleMs) };
}

async function countSources(db: Db, { now, staleMs }: { now: Date; staleMs: number }): Promise<Counts> {
  const at = now.toISOString();
  const { rows } = await db.execute<Counts>(sql`
      SELECT count(*)::int AS sources,
        count(*) FILTER (WHERE ${sourceState} = 'active')::int AS active,
        count(*) FILTER (WHERE ${sourceState} = 'failing')::int AS failing,
        count(*) FILTER (WHERE ${sourceState} = 'paused')::int AS paused,
        count(*) FILTER (WHERE ${sourceState} = 'gone')::int AS gone,
        count(*) FILTER (WHERE next_fetch_at
          < ${at}::timestamptz - make_interval(secs => greatest(${staleMs / 1_000}, interval_seconds)))::int AS stale
      FROM ${fetchStates}`);
  return rows[0] ?? { sources: 0, active: 0, failing: 0, paused: 0, gone: 0, stale: 0 };
}

async function latenessOf(db: Db, now: Date): Promise<Pick<FetchingStats, 'medianDelaySeconds' | 'p95DelaySeconds'>> {
  const from = new Date(now.getTime() - HOUR_MS).toISOString();
  const { rows } = await db.execute<{ median: number | null; p95: number | null }>(sql`
      SELECT ${MEDIAN} AS median, ${P95} AS p95
      FROM ${posts} JOIN ${sources} ON ${sources.id} = ${posts.sourceId}
      WHERE ${posts.foundAt} >= ${from}::timestamptz AND ${HAS_KNOWN_DELAY}`);
  return { medianDelaySeconds: rows[0]?.median ?? null, p95DelaySeconds: rows[0]?.p95 ?? null };
}

export async function discoveryDelays(db: Db, { from, to }: { from: Date; to: Date }): Promise<DelayMinute[]> {
  const { rows } = await db.execute<{
    at: Date | string;
    posts: number;
    median: number;
    p95: number;
  }>(sql`
      SELECT date_trunc('minute', ${posts.foundAt}) AS at, count(*)::int AS posts, ${MEDIAN} AS median, ${P95} AS p95
      FROM ${posts} JOIN ${sources} ON ${sources.id} = ${posts.sourceId}
      WHERE ${posts.foundAt} >= ${from.toISOString()}::timestamptz AND ${posts.foundAt} <= ${to.toISOString()}::timestamptz
        AND ${HAS_KNOWN_DELAY}
      GROUP BY 1 ORDER BY 1`);
  return rows.map(({ at, posts, median, p95 }) => ({
    at: new Date(at).toISOString(),
    posts,
    medianSeconds: median,
    p95Seconds: p95,
  }));
}

@Injectable()
export class DueFetches implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly catalogue: SourceCatalogue,
    private readonly dueRows: DueRowCounts,
  ) {}

  onModuleInit() {
    this.dueRows.register((now) => this.due(now));
  }

  private async due(now: Date): Promise<ReadonlyMap<string, DueRows>> {
    const { db } = this.database;
    const at = now.toISOString();
    const found = new Map<string, DueRows>();
    for (const [type, job] of this.catalogue.jobs)
      found.set(
        job.name,
        await countDueRows(
          db,
          sql`SELECT next_fetch_at AS since FROM ${fetchStates}
            WHERE type = ${type} AND ${jobIsNot('waiting')} AND next_fetch_at <= ${at}::timestamptz`,
        ),
      );
    const requests = sql`SELECT ask_at AS since FROM ${subscriptions} WHERE ${jobIsNot('waiting')} AND ask_at <= ${at}::timestamptz`;
    if (this.config.publicUrl) found.set(askHubJob.name, await countDueRows(db, requests));
    return found;
  }
}

function staleAlerts(stale: number, staleMs: number): FoundAlert[] {
  if (!stale) return [];
  const which = stale === 1 ? '1 source has been due' : `${stale} sources have been due`;
  const message = `${which} for more than ${durationText(staleMs)}, and for longer than the fetch interval. Check whether workers are running and queues are paused.`;
  return [alertOf(SOURCES_STALE, { message, link: '/sources' })];
}
