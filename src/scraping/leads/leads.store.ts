import { Injectable } from '@nestjs/common';
import { and, count, eq, inArray, sql } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import type { Lead } from '../lead.js';
import { scrapeJobChanged } from '../scrape-job-changed.event.js';
import { scrapeParts } from '../scrape-parts.table.js';
import { leadHash } from './lead-hash.js';
import { leadFinds, rawLeads } from './raw-leads.table.js';

/** The part of a job that finds leads. */
export interface Finder {
  id: string;
  scrapeJobId: string;
  userId: string;
  sourceType: string;
}

export interface Found {
  leads: Lead[];
  /** All that the source has shown so far, also what did not meet the keywords. */
  shown: number;
  at: Date;
}

/** The part was cancelled, or somebody else has ended it: what it finds is not wanted any more. */
export class NoLongerWanted extends Error {
  override readonly name = 'NoLongerWanted';
}

@Injectable()
export class LeadsStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  /** Stores what is new, links what is known, and counts anew; the same again changes nothing. */
  async save(finder: Finder, { leads, shown, at }: Found): Promise<void> {
    await this.database.transaction(async (db) => {
      await holdWanted(db, finder.id);
      const byHash = new Map(leads.map((lead) => [leadHash(lead), lead]));
      if (byHash.size) await this.link(db, finder, { byHash, at });
      await countAnew(db, finder.id, shown);
      await this.events.publish(db, scrapeJobChanged, { scrapeJobId: finder.scrapeJobId });
    });
  }

  private async link(
    db: Db,
    { id, userId, sourceType }: Finder,
    { byHash, at }: { byHash: Map<string, Lead>; at: Date },
  ) {
    // In one order for all, so that two who find the same do not wait for each other.
    const hashes = [...byHash.keys()].toSorted();
    const rows = hashes.flatMap((contentHash) => {
      const lead = byHash.get(contentHash);
      return lead ? [{ ...lead, userId, contentHash, sourceType, scrapedAt: at }] : [];
    });
    const { id: leadId, contentHash } = rawLeads;
    const stored = await db.insert(rawLeads).values(rows).onConflictDoNothing().returning({ leadId });
    const isNew = new Set(stored.map(({ leadId }) => leadId));
    const all = await db
      .select({ leadId })
      .from(rawLeads)
      .where(and(eq(rawLeads.userId, userId), inArray(contentHash, hashes)));
    await db
      .insert(leadFinds)
      .values(all.map(({ leadId }) => ({ partId: id, leadId, duplicate: !isNew.has(leadId) })))
      .onConflictDoNothing();
  }
}

async function holdWanted(db: Db, partId: string): Promise<void> {
  const [part] = await db
    .select({ status: scrapeParts.status })
    .from(scrapeParts)
    .where(eq(scrapeParts.id, partId))
    .for('update');
  if (part?.status !== 'running') throw new NoLongerWanted(`the part is ${part?.status ?? 'gone'}`);
}

async function countAnew(db: Db, partId: string, shown: number): Promise<void> {
  const [counted] = await db
    .select({ processed: count(), duplicates: sql<number>`count(*) FILTER (WHERE ${leadFinds.duplicate})::int` })
    .from(leadFinds)
    .where(eq(leadFinds.partId, partId));
  await db
    .update(scrapeParts)
    .set({ ...counted, found: sql`greatest(${scrapeParts.found}, ${shown})` })
    .where(eq(scrapeParts.id, partId));
}
