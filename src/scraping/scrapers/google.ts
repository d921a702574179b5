import { defineScraper, ScrapeFailure } from '../scraper.js';
import { planSearch, refusalOf } from '../search/plan-search.js';
import { missingForSearch, searchResults } from '../search/search-providers.js';
import { toLead } from './google-result.js';

export const google = defineScraper({
  type: 'google',
  name: 'Web search',
  filters: ['country', 'language', 'site', 'exclude'],
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
