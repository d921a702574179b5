import type { FoundLead, Lead } from './lead.js';
import { leadHash } from './lead-hash.js';
import { matchesKeywords } from './matches-keywords.js';
import { normaliseLead } from './normalise-lead.js';

/** Counts what a search has found, and keeps the leads that match the keywords, each once. */
export class CountedLeads {
  found = 0;
  repeated = 0;
  private readonly hashes = new Set<string>();

  constructor(private readonly keywords: string[]) {}

  take(batch: FoundLead[]): Map<string, Lead> {
    this.found += batch.length;
    const taken = new Map<string, Lead>();
    for (const lead of batch.flatMap((one) => normaliseLead(one) ?? [])) {
      if (!matchesKeywords(lead, this.keywords)) continue;
      const hash = leadHash(lead);
      if (this.hashes.has(hash)) this.repeated += 1;
      else taken.set(hash, lead);
      this.hashes.add(hash);
    }
    return taken;
  }
}
