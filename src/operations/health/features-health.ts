import { Inject, Injectable } from '@nestjs/common';
import { fetchingHealth } from '../../fetching/fetching-health.js';
import { freshnessHealth } from '../../fetching/freshness-figures/freshness-health.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database } from '../../platform/database/database.js';
import { publishingHealth } from '../../publishing/publishing-health.js';

const FRESH_MS = 2_000;
/** A result is reused for this many times the time it took to compute it, up to a minute. */
const REUSE_FACTOR = 20;
const MAX_REUSE_MS = 60_000;

type Read<T> = (now: Date) => Promise<T>;

@Injectable()
export class FeaturesHealth {
  private readonly fetching;
  private readonly freshness;
  private readonly publishing;

  constructor(@Inject(CONFIG) { alerts, policy }: Config, { db }: Database) {
    this.fetching = reusing((now) => fetchingHealth(db, { now, staleMs: alerts.staleMs }));
    this.freshness = reusing((now) => freshnessHealth(db, { now, policy }));
    this.publishing = reusing((now) => publishingHealth(db, now));
  }

  async read(now: Date) {
    const [fetching, freshness, publishing] = await Promise.all([
      this.fetching(now),
      this.freshness(now),
      this.publishing(now),
    ]);
    return {
      fetching: fetching.stats,
      freshness: freshness.stats,
      publishing: publishing.stats,
      alerts: [fetching, freshness, publishing].flatMap(({ alerts }) => alerts),
    };
  }
}

/** Queries over many rows are repeated less often than quick ones. */
function reusing<T>(read: Read<T>): Read<T> {
  let last: { until: number; value: T } | undefined;
  return async (now) => {
    if (last && now.getTime() < last.until) return last.value;
    const begun = performance.now();
    const value = await read(now);
    const reuseMs = Math.min(MAX_REUSE_MS, Math.max(FRESH_MS, REUSE_FACTOR * (performance.now() - begun)));
    last = { until: now.getTime() + reuseMs, value };
    return value;
  };
}
