import type { LeadView } from './lead-view.js';

/** One JSON object a line. */
export async function* renderLeadsJsonl(leads: AsyncIterable<LeadView> | Iterable<LeadView>): AsyncGenerator<string> {
  for await (const lead of leads) yield `${JSON.stringify(lead)}\n`;
}
