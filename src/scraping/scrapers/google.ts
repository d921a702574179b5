import { defineScraper, ScrapeFailure } from '../scraper.js';
import { toLead } from './google-result.js';
import { missingForSearch, searchResults } from './google-search.js';
import { planSearch, refusalOf } from './plan-search.js';

/** Supports the filters country, language, site and exclude. */
export const google = defineScraper({
  type: 'google',
  name: 'Google Programmable Search',
  missing: missingForSearch,
  refuse: (criteria) => refusalOf(planSearch(criteria)),

  async *scrape(criteria, tools) {
    const plan = planSearch(criteria);
    if ('refusal' in plan) throw new ScrapeFailure(plan.refusal.message);
    const seen = new Set<string>();
    for await (const result of searchResults(plan.search, tools)) {
      const lead = toLead(result);
      const identity = lead?.domain ?? result.link;
      if (!lead || seen.has(identity)) continue;
      seen.add(identity);
      yield lead;
    }
  },
});
