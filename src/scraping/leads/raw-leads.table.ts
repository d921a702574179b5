import { boolean, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from '../../auth/users/users.table.js';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';
import { scrapeJobs } from '../jobs/scrape-jobs.table.js';
import { scrapeParts } from '../jobs/scrape-parts.table.js';

export const rawLeads = pgTable(
  'raw_leads',
  {
    id: idColumn(),
    userId: idReference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The job that found the lead first. Null for leads that a version without this column stored. */
    scrapeJobId: idReference().references(() => scrapeJobs.id, { onDelete: 'set null' }),
    /** A hash of the company's identity, by which each company is stored once. */
    contentHash: text().notNull(),
    name: text().notNull(),
    domain: text(),
    emails: text().array().notNull(),
    phones: text().array().notNull(),
    address: text(),
    country: text(),
    description: text(),
    url: text(),
    sourceType: text().notNull(),
    rawPayload: jsonb().$type<unknown>(),
    scrapedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('raw_leads_identity').on(table.userId, table.contentHash),
    index('raw_leads_of_user').on(table.userId, table.id),
    index('raw_leads_of_job').on(table.scrapeJobId),
  ],
);
export type LeadRow = typeof rawLeads.$inferSelect;

/** Records which part found which lead. All but the first find of a lead are duplicates. */
export const leadFinds = pgTable(
  'lead_finds',
  {
    partId: idReference()
      .notNull()
      .references(() => scrapeParts.id, { onDelete: 'cascade' }),
    leadId: idReference()
      .notNull()
      .references(() => rawLeads.id, { onDelete: 'cascade' }),
    duplicate: boolean().notNull(),
  },
  (table) => [primaryKey({ columns: [table.partId, table.leadId] }), index('lead_finds_of_lead').on(table.leadId)],
);
