import { z } from 'zod';
import { type Criteria, defineScraper, ScrapeFailure, type ScraperTools } from '../scraper.js';
import { askCrunchbase, KEY_VARIABLE, PLACE } from './crunchbase-api.js';
import { industryCalled, placesCalled } from './crunchbase-names.js';
import { FIELDS, Organization, toLead } from './crunchbase-organization.js';
import { type Predicate, predicatesFor, termsOf } from './crunchbase-query.js';
import { NOTHING_TO_SEARCH_FOR } from './plan-search.js';

const PAGE = 100;
/** Far more than a job keeps. */
const MOST_PAGES = 100;

const ResultPage = z.object({ entities: z.array(z.unknown()).nullish() });

/** Companies from Crunchbase's API v4, the best known first. It has no filters of its own. */
export const crunchbase = defineScraper({
  type: 'crunchbase',
  name: PLACE,
  missing: ({ crunchbaseKey }) => (crunchbaseKey ? [] : [KEY_VARIABLE]),
  refuse: (criteria) => (isEmpty(criteria) ? NOTHING_TO_SEARCH_FOR : undefined),

  async *scrape(criteria, tools) {
    if (isEmpty(criteria)) throw new ScrapeFailure(NOTHING_TO_SEARCH_FOR.message);
    const industry = criteria.industry?.trim() ? await industryCalled(criteria.industry, tools) : undefined;
    const places = criteria.geography?.trim() ? await placesCalled(criteria.geography, tools) : [];
    const seen = new Set<string>();
    for await (const entity of organizations(predicatesFor(criteria, { industry, places }), tools)) {
      const { data } = Organization.safeParse(entity);
      const lead = data && !seen.has(data.uuid) && toLead(data, entity);
      if (!lead) continue;
      seen.add(data.uuid);
      yield lead;
    }
  },
});

function isEmpty({ industry, geography, keywords, searchQuery }: Criteria): boolean {
  const given = [industry, geography, ...keywords].some((text) => text?.trim());
  return !given && !termsOf(searchQuery ?? '').length;
}

const Identified = z.object({ uuid: z.string() });

/** Page after page from the last one that was seen on, until one is not full. */
async function* organizations(query: Predicate[], tools: ScraperTools): AsyncGenerator<unknown> {
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const order = [{ field_id: 'rank_org', sort: 'asc' }];
    const body = { field_ids: FIELDS, query, order, limit: PAGE, ...(after && { after_id: after }) };
    const { entities } = await askCrunchbase({ path: 'searches/organizations', body, answer: ResultPage }, tools);
    yield* entities ?? [];
    const last = Identified.safeParse(entities?.at(-1)).data?.uuid;
    if (!entities || entities.length < PAGE || !last || last === after) return;
    after = last;
  }
}
