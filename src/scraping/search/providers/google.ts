import { z } from 'zod';
import type { HttpResponse } from '../../../platform/http/http-response.js';
import { readJsonIf } from '../../../platform/http/json-answer.js';
import { joinUrl } from '../../../platform/http/web-address.js';
import type { ScraperConfig } from '../../scraper.js';
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

const PLACE = 'Google Programmable Search';
const VARIABLES = ['MILLRACE_GOOGLE_KEY', 'MILLRACE_GOOGLE_ENGINE'];

/** The maximum that the API allows. */
const PAGE = 10;

/** The structured data differs from page to page. */
const Item = z.object({
  link: Link,
  title: Title,
  snippet: Snippet,
  pagemap: z.record(z.string(), z.unknown()).nullish().catch(undefined),
});

const ResultPage = z.object({
  items: z.array(z.unknown()).nullish(),
  queries: z
    .object({ nextPage: z.array(z.unknown()).nullish() })
    .nullish()
    .catch(undefined),
});

/** The Custom Search JSON API, which is closed to new customers and ends on 2027-01-01. */
export const google: SearchProvider = {
  name: 'google',
  title: PLACE,
  missing: ({ googleKey, googleEngine }) => VARIABLES.filter((_, at) => ![googleKey, googleEngine][at]),

  async page({ search, number }, tools) {
    const { config } = tools;
    const url = withParameters(joinUrl(config.googleUrl, 'customsearch/v1'), {
      key: config.googleKey,
      cx: config.googleEngine,
      q: search.query,
      num: String(PAGE),
      start: String(number * PAGE + 1),
      ...filterParameters(search),
    });
    const refused = (response: HttpResponse) => refusedBy(response, config);
    const { items, queries } = await askProvider({ url, answer: ResultPage, refused }, tools);
    const hasMore = Boolean(items?.length && queries?.nextPage?.length);
    return { results: resultsOf(items ?? [], Item), hasMore };
  },
};

/** The languages to which results can be restricted. The engine has old names for some. */
const RESTRICTABLE = new Set(
  'ar bg ca cs da de el en es et fi fr hr hu id is it iw ja ko lt lv nl no pl pt ro ru sk sl sr sv tr zh-CN zh-TW'.split(
    ' ',
  ),
);

const ENGINE_NAMES: Record<string, string> = {
  he: 'iw',
  nb: 'no',
  nn: 'no',
  zh: 'zh-CN',
  'zh-cn': 'zh-CN',
  'zh-tw': 'zh-TW',
};

function filterParameters({ country, language }: Search): Record<string, string | undefined> {
  const named = language && (ENGINE_NAMES[language] ?? language.slice(0, 2));
  return {
    gl: country,
    cr: country && `country${country.toUpperCase()}`,
    hl: language,
    lr: named && RESTRICTABLE.has(named) ? `lang_${named}` : undefined,
  };
}

const Complaint = z.object({
  error: z.object({
    message: z.string().catch(''),
    status: z.string().nullish().catch(undefined),
    errors: z
      .array(z.object({ reason: z.string().nullish() }))
      .nullish()
      .catch(undefined),
  }),
});

/** Reasons of a 403 that is not caused by the key. */
const EXHAUSTED = /^(RESOURCE_EXHAUSTED|(daily|rate|userRate)LimitExceeded(Unreg)?|quotaExceeded)$/;

function refusedBy(response: HttpResponse, { googleKey }: ScraperConfig): Refused {
  const { message, status, errors } = readJsonIf(response, Complaint)?.error ?? {};
  const reasons = [status, ...(errors ?? []).map(({ reason }) => reason)];
  return {
    place: PLACE,
    words: message,
    // The message may repeat the key as it was sent.
    secrets: googleKey ? [googleKey, encodeURIComponent(googleKey)] : [],
    exhausted: response.status === 429 || reasons.some((reason) => reason && EXHAUSTED.test(reason)),
    variables: VARIABLES,
  };
}
