import type { ScraperConfig, ScraperTools } from '../scraper.js';
import { brave } from './providers/brave.js';
import { google } from './providers/google.js';
import { searxng } from './providers/searxng.js';
import { serper } from './providers/serper.js';
import type { Search, SearchProvider, SearchResult } from './search-provider.js';

export const SEARCH_PROVIDERS: readonly SearchProvider[] = [searxng, brave, serper, google];

const MAX_RESULTS = 100;
const MAX_PAGES = 10;

const NOT_CONFIGURED =
  'MILLRACE_SEARCH_URL (the address of a SearXNG server), or MILLRACE_SEARCH_PROVIDER with MILLRACE_SEARCH_KEY,';

export function missingForSearch(config: ScraperConfig): string[] {
  return providerFor(config)?.missing(config) ?? [NOT_CONFIGURED];
}

/** Yields each address once, best first. */
export async function* searchResults(search: Search, tools: ScraperTools): AsyncGenerator<SearchResult> {
  const provider = providerFor(tools.config);
  if (!provider) throw new Error('no search provider is configured');
  const seen = new Set<string>();
  for (let number = 0; number < MAX_PAGES; number++) {
    tools.signal.throwIfAborted();
    const { results, hasMore } = await provider.page({ search, number }, tools);
    const unseen = results.filter(({ link }) => !seen.has(link)).slice(0, MAX_RESULTS - seen.size);
    for (const { link } of unseen) seen.add(link);
    yield* unseen;
    // Some engines behind a provider ignore the page number and repeat their first page.
    if (!hasMore || (results.length && !unseen.length) || seen.size >= MAX_RESULTS) return;
  }
}

/** A server's address alone means SearXNG. The settings for Google are older than the choice of a provider. */
function providerFor({ searchProvider, searchUrl, googleKey, googleEngine }: ScraperConfig) {
  const implied = searchUrl ? 'searxng' : googleKey || googleEngine ? 'google' : undefined;
  return SEARCH_PROVIDERS.find(({ name }) => name === (searchProvider ?? implied));
}
