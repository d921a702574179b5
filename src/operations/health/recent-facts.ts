import { Injectable } from '@nestjs/common';
import { type Facts, HealthFacts } from '../../platform/health/health-facts.js';
import type { HealthSections } from '../../platform/health/health-sections.js';

const FRESH_MS = 2_000;
/** Facts are cached for this many times the time it took to compute them, up to a minute. */
const CACHE_FACTOR = 20;
const MAX_MS = 60_000;

type Section = keyof HealthSections;
type CachedFacts = { [Name in Section]?: { until: number; facts: Facts<HealthSections[Name]> | undefined } };

/** Caches the facts that features report about themselves. */
@Injectable()
export class RecentFacts {
  private readonly known: CachedFacts = {};

  constructor(private readonly facts: HealthFacts) {}

  async section<Name extends Section>(name: Name, now: Date): Promise<Facts<HealthSections[Name]> | undefined> {
    const known = this.known[name];
    if (known && now.getTime() < known.until) return known.facts;
    const begun = performance.now();
    const facts = await this.facts.section(name, now);
    const goodForMs = Math.min(MAX_MS, Math.max(FRESH_MS, CACHE_FACTOR * (performance.now() - begun)));
    Object.assign(this.known, { [name]: { until: now.getTime() + goodForMs, facts } });
    return facts;
  }
}
