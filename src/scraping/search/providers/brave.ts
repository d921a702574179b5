import { z } from 'zod';
import type { HttpResponse } from '../../../platform/http/http-response.js';
import { readJsonIf } from '../../../platform/http/json-answer.js';
import { joinUrl } from '../../../platform/http/web-address.js';
import { textOf } from '../../crawler/page/described.js';
import type { Refused } from '../../scrapers/api-answer.js';
import {
  askProvider,
  Link,
  resultsOf,
  type SearchProvider,
  Snippet,
  Title,
  withParameters,
} from '../search-provider.js';

const PLACE = 'Brave Search';
const VARIABLE = 'MILLRACE_SEARCH_KEY';
const URL = 'https://api.search.brave.com/';

/** The maximum that the API allows. */
const PAGE = 20;

/** Other countries and languages are refused with 422, so they are not sent. */
const COUNTRIES = new Set(
  `ar at au be br ca ch cl cn de dk es fi fr gb hk id in it jp kr mx my nl no nz ph pl pt ru sa se tr tw us za`.split(
    ' ',
  ),
);
const LANGUAGES = new Set(
  `ar eu bn bg ca zh-hans zh-hant hr cs da nl en en-gb et fi fr gl de el gu he hi hu is it jp kn ko lv lt ms ml mr nb pl
  pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi`.split(/\s+/),
);
const LANGUAGE_NAMES: Record<string, string> = {
  ja: 'jp',
  nn: 'nb',
  no: 'nb',
  pt: 'pt-pt',
  zh: 'zh-hans',
  'zh-cn': 'zh-hans',
  'zh-tw': 'zh-hant',
  'zh-hk': 'zh-hant',
};

/** Texts may contain character references. */
const Item = z
  .object({ url: Link, title: Title, description: Snippet })
  .transform(({ url, title, description }) => ({ link: url, title: textOf(title), snippet: textOf(description) }));

const ResultPage = z.object({
  query: z.object({ more_results_available: z.boolean().nullish() }).nullish().catch(undefined),
  /** Missing if nothing was found. */
  web: z.object({ results: z.array(z.unknown()).nullish() }).nullish(),
});

const Complaint = z.object({ error: z.object({ detail: z.string() }) });

export const brave: SearchProvider = {
  name: 'brave',
  title: PLACE,
  missing: ({ searchKey }) => (searchKey ? [] : [VARIABLE]),

  async page({ search: { query, country = '', language = '' }, number }, tools) {
    const { searchUrl, searchKey = '' } = tools.config;
    const named = [LANGUAGE_NAMES[language] ?? language, language.slice(0, 2)].find((one) => LANGUAGES.has(one));
    const url = withParameters(joinUrl(searchUrl ?? URL, 'res/v1/web/search'), {
      q: query,
      count: String(PAGE),
      offset: String(number),
      country: COUNTRIES.has(country) ? country.toUpperCase() : 'ALL',
      search_lang: named,
      result_filter: 'web',
      text_decorations: 'false',
    });
    const headers = { 'X-Subscription-Token': searchKey };
    const refused = (response: HttpResponse) => refusedBy(response, searchKey);
    const answer = await askProvider({ url, headers, answer: ResultPage, refused }, tools);
    const results = resultsOf(answer.web?.results ?? [], Item);
    return { results, hasMore: results.length > 0 && answer.query?.more_results_available === true };
  },
};

function refusedBy(response: HttpResponse, key: string): Refused {
  return {
    place: PLACE,
    words: readJsonIf(response, Complaint)?.error.detail,
    secrets: [key],
    variables: [VARIABLE],
  };
}
