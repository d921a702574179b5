import { Injectable } from '@nestjs/common';
import { lt, sql } from 'drizzle-orm';
import { Database } from '../../platform/database/database.js';
import { JobHandlers } from '../../platform/jobs/job-handler.js';
import { workMinutes } from '../../platform/jobs/job-minutes.table.js';
import type { Feature } from '../../platform/jobs/work-result.js';
import { LATELY_MS, type RecentRuns, recentRuns } from '../alerts/error-rate.js';
import type { FeatureWork, TargetRuns } from '../alerts/work-rules.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/**
 * How long rows are kept, in milliseconds. Only the last five minutes are judged by target, so older rows need not
 * name one.
 */
const KEPT_MS = 24 * HOUR_MS;
const MAX_TARGETS = 500;

type Minute = { feature: string; at: string | Date; ended: number; endedBadly: number };
type Target = TargetRuns & { feature: string };

/** Reads the results of features' work by minute. */
@Injectable()
export class WorkMinutesStore {
  constructor(
    private readonly database: Database,
    private readonly handlers: JobHandlers,
  ) {}

  /** Returns the recent runs of all features together and of each that did something in the last hour. */
  async recent(now: Date): Promise<{ all: RecentRuns; features: FeatureWork[] }> {
    const [minutes, targets] = [await this.minutes(now), await this.failingTargets(now)];
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
    await this.database.db.delete(workMinutes).where(lt(workMinutes.minute, new Date(now.getTime() - KEPT_MS)));
  }

  private async minutes(now: Date): Promise<Minute[]> {
    const from = new Date(now.getTime() - HOUR_MS).toISOString();
    const { rows } = await this.database.db.execute<Minute>(sql`
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

function runsOf(minutes: Minute[], now: Date): RecentRuns {
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
