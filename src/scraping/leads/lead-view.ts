import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import type { LeadRow } from './raw-leads.table.js';

/** A lead as its owner sees it. */
export const LeadView = z.strictObject({
  id: Id,
  name: z.string(),
  domain: z.string().nullable(),
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  address: z.string().nullable(),
  country: z.string().nullable(),
  description: z.string().nullable(),
  url: z.string().nullable(),
  source_type: z.string(),
  raw_payload: z.unknown(),
  scraped_at: z.iso.datetime(),
});
export type LeadView = z.infer<typeof LeadView>;

export function toLeadView(lead: LeadRow): LeadView {
  const { id, name, domain, emails, phones, address, country, description, url } = lead;
  return {
    ...{ id, name, domain, emails, phones, address, country, description, url },
    source_type: lead.sourceType,
    raw_payload: lead.rawPayload,
    scraped_at: lead.scrapedAt.toISOString(),
  };
}
