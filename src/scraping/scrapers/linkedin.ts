import { defineScraper, ScrapeFailure } from '../scraper.js';
import { missingForSearch, searchResults } from './google-search.js';
import { companyPage } from './linkedin-page.js';
import { planSearch, troubleOf } from './plan-search.js';

const SITE = ['linkedin.com/company'];

/**
 * Finds company pages of LinkedIn through the Programmable Search API. LinkedIn itself receives no requests. Supports
 * the filters country, language and exclude.
 */
export const linkedin = defineScraper({
  type: 'linkedin',
  name: 'LinkedIn company pages, through Google Programmable Search',
  missing: missingForSearch,
  refuse: (criteria) => troubleOf(planSearch(criteria, SITE)),

  async *scrape(criteria, tools) {
    const plan = planSearch(criteria, SITE);
    if ('trouble' in plan) throw new ScrapeFailure(plan.trouble.message);
    const seen = new Set<string | undefined>();
    for await (const result of searchResults(plan.search, tools)) {
      const lead = companyPage(result);
      if (!lead || seen.has(lead.url)) continue;
      seen.add(lead.url);
      yield lead;
    }
  },
});
