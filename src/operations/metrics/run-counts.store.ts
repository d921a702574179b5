import { Injectable } from '@nestjs/common';
import { lt, sql } from 'drizzle-orm';
import { Database } from '../../platform/database/database.js';
import { JobHandlers } from '../../platform/jobs/job-handler.js';
import { jobMinutes, workMinutes } from '../../platform/jobs/job-minutes.table.js';
import type { Feature } from '../../platform/jobs/work-result.js';
import { LATELY_MS, type RecentRuns, recentRuns } from '../alerts/error-rate.js';
import type { FeatureWork, TargetRuns } from '../alerts/work-rules.js';

export const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LATELY_MINUTES = 5;
const JOB_MINUTES_KEPT_MS = 7 * DAY_MS;
/** Only the last five minutes are judged by target, so older rows need not name one. */
const WORK_MINUTES_KEPT_MS = DAY_MS;
const MAX_TARGETS = 500;

export interface JobCounts {
  donePerMinute: number;
  failedPerMinute: number;
  retriedPerMinute: number;
  failedLastHour: number;
  /** Number of runs that ended in the last five minutes. */
  ended: number;
  endedMs: number;
}

interface JobMinute {
  at: Date;
  done: number;
  failed: number;
  retried: number;
}

export const startOfMinute = (time: Date) => new Date(Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS);
const minutesBefore = (time: Date, minutes: number) => new Date(time.getTime() - minutes * MINUTE_MS);

type WorkMinute = { feature: string; at: string | Date; ended: number; endedBadly: number };
type Target = TargetRuns & { feature: string };

@Injectable()
export class RunCountsStore {
  constructor(
    private readonly database: Database,
    private readonly handlers: JobHandlers,
  ) {}

  /** Returns the counts by queue. Rates cover the current minute so far and the one before. */
  async counts(now: Date): Promise<Map<string, JobCounts>> {
    const minute = startOfMinute(now);
    const rated = minutesBefore(minute, 1).toISOString();
    const lately = minutesBefore(minute, LATELY_MINUTES).toISOString();
    const minutes = (now.getTime() - minute.getTime()) / MINUTE_MS + 1;
    const { rows } = await this.database.db.execute<{ queue: string } & Record<keyof JobCounts, number>>(sql`
      SELECT queue,
        coalesce(sum(count) FILTER (WHERE outcome = 'done' AND minute >= ${rated}), 0)::int AS "donePerMinute",
        coalesce(sum(count) FILTER (WHERE outcome = 'failed' AND minute >= ${rated}), 0)::int AS "failedPerMinute",
        coalesce(sum(count) FILTER (WHERE outcome = 'retried' AND minute >= ${rated}), 0)::int AS "retriedPerMinute",
        coalesce(sum(count) FILTER (WHERE outcome = 'failed'), 0)::int AS "failedLastHour",
        coalesce(sum(count) FILTER (WHERE outcome IN ('done', 'failed', 'retried') AND minute >= ${lately}), 0)::int AS "ended",
        coalesce(sum(total_ms) FILTER (WHERE outcome IN ('done', 'failed', 'retried') AND minute >= ${lately}), 0)::float8 AS "endedMs"
      FROM ${jobMinutes} WHERE minute >= ${minutesBefore(minute, 60).toISOString()} GROUP BY queue`);
    return new Map(
      rows.map(({ queue, donePerMinute, failedPerMinute, retriedPerMinute, ...others }) => [
        queue,
        {
          ...others,
          donePerMinute: donePerMinute / minutes,
          failedPerMinute: failedPerMinute / minutes,
          retriedPerMinute: retriedPerMinute / minutes,
        },
      ]),
    );
  }

  async series(from: Date): Promise<JobMinute[]> {
    const { rows } = await this.database.db.execute<Omit<JobMinute, 'at'> & { at: string | Date }>(sql`
      SELECT minute AS at,
        coalesce(sum(count) FILTER (WHERE outcome = 'done'), 0)::int AS done,
        coalesce(sum(count) FILTER (WHERE outcome = 'failed'), 0)::int AS failed,
        coalesce(sum(count) FILTER (WHERE outcome = 'retried'), 0)::int AS retried
      FROM ${jobMinutes} WHERE minute >= ${from.toISOString()} GROUP BY minute ORDER BY minute`);
    return rows.map((row) => ({ ...row, at: new Date(row.at) }));
  }

  /** Returns the recent runs of all features together and of each that did something in the last hour. */
  async recent(now: Date): Promise<{ all: RecentRuns; features: FeatureWork[] }> {
    const [minutes, targets] = [await this.workMinutes(now), await this.failingTargets(now)];
    const features = [...new Set(minutes.map(({ feature }) => feature))].toSorted();
    const known = new Map(this.handlers.all().flatMap(([{ feature }]) => (feature ? [[feature.name, feature]] : [])));
    return {
      all: runsOf(minutes, now),
      features: features.map((feature) => {
        const ofFeature = <Row extends { feature: string }>(rows: Row[]) =>
          rows.filter((row) => row.feature === feature);
        const { target, sharedCause }: Partial<Feature> = known.get(feature) ?? {};
        const runs = runsOf(ofFeature(minutes), now);
        return {
          feature,
          runs,
          targets: ofFeature(targets),
          ...(target && { target }),
          ...(sharedCause && { sharedCause }),
        };
      }),
    };
  }

  async forget(now: Date): Promise<void> {
    const before = (keptMs: number) => new Date(now.getTime() - keptMs);
    await this.database.db.delete(jobMinutes).where(lt(jobMinutes.minute, before(JOB_MINUTES_KEPT_MS)));
    await this.database.db.delete(workMinutes).where(lt(workMinutes.minute, before(WORK_MINUTES_KEPT_MS)));
  }

  private async workMinutes(now: Date): Promise<WorkMinute[]> {
    const from = new Date(now.getTime() - HOUR_MS).toISOString();
    const { rows } = await this.database.db.execute<WorkMinute>(sql`
      SELECT feature, minute AS at, sum(count)::int AS ended,
        coalesce(sum(count) FILTER (WHERE kind = 'failure'), 0)::int AS "endedBadly"
      FROM ${workMinutes} WHERE minute >= ${from} GROUP BY feature, minute`);
    return rows;
  }

  private async failingTargets(now: Date): Promise<Target[]> {
    const from = new Date(now.getTime() - 5 * MINUTE_MS).toISOString();
    const lately = new Date(now.getTime() - LATELY_MS).toISOString();
    const { rows } = await this.database.db.execute<Target & Record<string, unknown>>(sql`
      SELECT feature, target, sum(count)::int AS ended,
        coalesce(sum(count) FILTER (WHERE kind = 'failure'), 0)::int AS "endedBadly",
        coalesce(sum(count) FILTER (WHERE kind = 'failure' AND minute >= ${lately}), 0)::int AS "failedLately"
      FROM ${workMinutes} WHERE minute >= ${from} AND target <> '' GROUP BY feature, target
      ORDER BY 4 DESC, target LIMIT ${MAX_TARGETS}`);
    return rows;
  }
}

function runsOf(minutes: WorkMinute[], now: Date): RecentRuns {
  const byMinute = new Map<number, { at: Date; ended: number; endedBadly: number }>();
  for (const { at, ended, endedBadly } of minutes) {
    const time = new Date(at);
    const known = byMinute.get(time.getTime()) ?? { at: time, ended: 0, endedBadly: 0 };
    byMinute.set(time.getTime(), {
      at: time,
      ended: known.ended + ended,
      endedBadly: known.endedBadly + endedBadly,
    });
  }
  return recentRuns([...byMinute.values()], now);
}
