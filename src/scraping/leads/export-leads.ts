import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type LeadView, toLeadView } from './lead-view.js';
import type { LeadRow } from './raw-leads.table.js';
import { renderLeadsCsv } from './render-leads-csv.js';
import { renderLeadsJsonl } from './render-leads-jsonl.js';

const FORMATS = {
  csv: { type: 'text/csv; charset=utf-8; header=present', render: renderLeadsCsv },
  jsonl: { type: 'application/jsonl; charset=utf-8', render: renderLeadsJsonl },
};

/** A download that is read from the database as fast as the client takes it. */
export async function exportLeads(leads: AsyncIterable<LeadRow>, format: keyof typeof FORMATS, reply: FastifyReply) {
  const { type, render } = FORMATS[format];
  await reply
    .header('Content-Type', type)
    .header('Content-Disposition', `attachment; filename="leads.${format}"`)
    .send(Readable.from(render(views(leads))));
}

async function* views(leads: AsyncIterable<LeadRow>): AsyncGenerator<LeadView> {
  for await (const lead of leads) yield toLeadView(lead);
}
