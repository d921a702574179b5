import { z } from 'zod';
import type { HttpResponse } from '../../../platform/http/http-response.js';
import { readJsonIf } from '../../../platform/http/json-answer.js';
import { joinUrl } from '../../../platform/http/web-address.js';
import { ScrapeFailure } from '../../scraper.js';
import type { Refused } from '../../scrapers/api-answer.js';
import {
  askProvider,
  Link,
  resultsOf,
  type Search,
  type SearchProvider,
  Snippet,
  Title,
  withParameters,
} from '../search-provider.js';

const PLACE = 'SearXNG';
const VARIABLE = 'MILLRACE_SEARCH_URL';

const Item = z
  .object({ url: Link, title: Title, content: Snippet })
  .transform(({ url, title, content }) => ({ link: url, title, snippet: content }));

const ResultPage = z.object({
  results: z.array(z.unknown()),
  /** Names and reasons of engines that gave no answer. */
  unresponsive_engines: z
    .array(z.tuple([z.string(), z.string()]))
    .nullish()
    .catch(undefined),
});

const Complaint = z.object({ error: z.string() });

/** A server of one's own, whose `settings.yml` must list `json` under `search.formats`. */
export const searxng: SearchProvider = {
  name: 'searxng',
  title: PLACE,
  missing: ({ searchUrl }) => (searchUrl ? [] : [VARIABLE]),

  async page({ search, number }, tools) {
    const url = withParameters(joinUrl(tools.config.searchUrl ?? '', 'search'), {
      q: search.query,
      format: 'json',
      categories: 'general',
      pageno: String(number + 1),
      language: localeOf(search),
    });
    const { results, unresponsive_engines } = await askProvider({ url, answer: ResultPage, refused }, tools);
    if (!results.length && number === 0 && unresponsive_engines?.length) throw noAnswer(unresponsive_engines);
    // SearXNG does not say whether there are more pages.
    return { results: resultsOf(results, Item), hasMore: results.length > 0 };
  },
};

/** SearXNG takes a country only together with a language, so the country's most common one is assumed. */
function localeOf({ country, language }: Search): string | undefined {
  const [spoken, region = country] = language?.split('-') ?? [];
  if (!region) return spoken;
  return `${spoken ?? new Intl.Locale(`und-${region}`).maximize().language}-${region.toUpperCase()}`;
}

function noAnswer(engines: [string, string][]): ScrapeFailure {
  const reasons = engines.map(([name, reason]) => `${name} (${reason})`).join(', ');
  return new ScrapeFailure(`${PLACE} got no answer from its engines: ${reasons}`, { retryable: true });
}

function refused(response: HttpResponse): Refused {
  const isDisabled = response.status === 403;
  return {
    place: PLACE,
    words: isDisabled ? 'its settings.yml must list json under search.formats' : readJsonIf(response, Complaint)?.error,
    variables: [VARIABLE],
  };
}
