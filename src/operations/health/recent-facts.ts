import { Injectable } from '@nestjs/common';
import { type Facts, HealthFacts } from '../../platform/health/health-facts.js';
import type { HealthSections } from '../../platform/health/health-sections.js';

const FRESH_MS = 2_000;
/** What takes long to find out is found out less often: it is good for so many times what it took, up to a minute. */
const TIMES_ITS_COST = 20;
const MAX_MS = 60_000;

type Section = keyof HealthSections;
type Known = { [Name in Section]?: { until: number; facts: Facts<HealthSections[Name]> | undefined } };

/** What features have said of themselves not long ago. */
@Injectable()
export class RecentFacts {
  private readonly known: Known = {};

  constructor(private readonly facts: HealthFacts) {}

  async section<Name extends Section>(name: Name, now: Date): Promise<Facts<HealthSections[Name]> | undefined> {
    const known = this.known[name];
    if (known && now.getTime() < known.until) return known.facts;
    const begun = performance.now();
    const facts = await this.facts.section(name, now);
    const goodForMs = Math.min(MAX_MS, Math.max(FRESH_MS, TIMES_ITS_COST * (performance.now() - begun)));
    Object.assign(this.known, { [name]: { until: now.getTime() + goodForMs, facts } });
    return facts;
  }
}
