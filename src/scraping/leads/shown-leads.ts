import type { FoundLead, Lead } from './lead.js';
import { leadHash } from './lead-hash.js';
import { matchesKeywords } from './matches-keywords.js';
import { normaliseLead } from './normalise-lead.js';

/** What a source has shown in one search: counts all of it, and picks what is wanted, each company once. */
export class ShownLeads {
  shown = 0;
  /** Wanted, but companies that were among what came before. */
  repeated = 0;
  private readonly hashes = new Set<string>();

  constructor(private readonly keywords: string[]) {}

  /** By their hashes. */
  take(found: FoundLead[]): Map<string, Lead> {
    this.shown += found.length;
    const taken = new Map<string, Lead>();
    for (const lead of found.flatMap((one) => normaliseLead(one) ?? [])) {
      if (!matchesKeywords(lead, this.keywords)) continue;
      const hash = leadHash(lead);
      if (this.hashes.has(hash)) this.repeated += 1;
      else taken.set(hash, lead);
      this.hashes.add(hash);
    }
    return taken;
  }
}
