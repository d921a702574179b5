import { z } from 'zod';
import type { HttpResponse } from '../../../platform/http/http-response.js';
import { readJsonIf } from '../../../platform/http/json-answer.js';
import { joinUrl } from '../../../platform/http/web-address.js';
import type { Refused } from '../../scrapers/api-answer.js';
import { askProvider, Link, resultsOf, type SearchProvider, Snippet, Title } from '../search-provider.js';

const PLACE = 'Serper';
const VARIABLE = 'MILLRACE_SEARCH_KEY';
const URL = 'https://google.serper.dev/';

/** A larger page costs more credits. */
const PAGE = 10;

const Item = z.object({ link: Link, title: Title, snippet: Snippet });
const ResultPage = z.object({ organic: z.array(z.unknown()).nullish() });
const Complaint = z.object({ message: z.string() });

export const serper: SearchProvider = {
  name: 'serper',
  title: PLACE,
  missing: ({ searchKey }) => (searchKey ? [] : [VARIABLE]),

  async page({ search: { query, country, language }, number }, tools) {
    const { searchUrl, searchKey = '' } = tools.config;
    const request = {
      url: joinUrl(searchUrl ?? URL, 'search'),
      headers: { 'X-API-KEY': searchKey },
      body: { q: query, num: PAGE, page: number + 1, gl: country, hl: language },
      answer: ResultPage,
      refused: (response: HttpResponse) => refusedBy(response, searchKey),
    };
    const { organic } = await askProvider(request, tools);
    // Serper does not say whether there are more pages.
    return { results: resultsOf(organic ?? [], Item), hasMore: Boolean(organic?.length) };
  },
};

function refusedBy(response: HttpResponse, key: string): Refused {
  const words = readJsonIf(response, Complaint)?.message;
  return {
    place: PLACE,
    words,
    secrets: [key],
    exhausted: response.status === 429 || /\bcredits\b/i.test(words ?? ''),
    variables: [VARIABLE],
  };
}
