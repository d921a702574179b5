import { z } from 'zod';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { readJsonIf } from '../../platform/http/json-answer.js';
import { joinUrl } from '../../platform/http/web-address.js';
import type { ScrapeFailure, ScraperConfig, ScraperTools } from '../scraper.js';
import { readJson, refusal } from './api-answer.js';

const PLACE = 'Google Programmable Search';
const VARIABLES = ['MILLRACE_GOOGLE_KEY', 'MILLRACE_GOOGLE_ENGINE'];

/** The API's limits: results per request, and results per query over all pages. */
const PAGE = 10;
const MAX_RESULTS = 100;

const MAX_TITLE_LENGTH = 1_000;

/** The structured data differs from page to page. */
const SearchResult = z.object({
  link: z.url({ protocol: /^https?$/ }),
  title: z
    .string()
    .transform((title) => title.slice(0, MAX_TITLE_LENGTH))
    .nullish()
    .catch(undefined),
  snippet: z.string().nullish().catch(undefined),
  pagemap: z.record(z.string(), z.unknown()).nullish().catch(undefined),
});
export type SearchResult = z.infer<typeof SearchResult> & { raw: unknown };

const ResultPage = z.object({
  items: z.array(z.unknown()).nullish(),
  queries: z
    .object({ nextPage: z.array(z.unknown()).nullish() })
    .nullish()
    .catch(undefined),
});

export interface Search {
  query: string;
  parameters: Record<string, string>;
}

export function missingForSearch({ googleKey, googleEngine }: ScraperConfig): string[] {
  return VARIABLES.filter((_, at) => ![googleKey, googleEngine][at]);
}

export async function* searchResults(search: Search, tools: ScraperTools): AsyncGenerator<SearchResult> {
  for (let start = 1; start + PAGE - 1 <= MAX_RESULTS; start += PAGE) {
    tools.signal.throwIfAborted();
    const response = await tools.http.get(searchUrl(search, start, tools.config), { signal: tools.signal });
    if (response.status !== 200) throw refused(response, tools.config);
    const { items, queries } = await readJson(response, ResultPage, { place: PLACE });
    yield* (items ?? []).flatMap(readResult);
    if (!items?.length || !queries?.nextPage?.length) return;
  }
}

function searchUrl({ query, parameters }: Search, start: number, config: ScraperConfig): string {
  const url = joinUrl(config.googleUrl, 'customsearch/v1');
  const all = {
    key: config.googleKey ?? '',
    cx: config.googleEngine ?? '',
    q: query,
    num: String(PAGE),
    start: String(start),
    ...parameters,
  };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
  return url.href;
}

function readResult(raw: unknown): SearchResult[] {
  const read = SearchResult.safeParse(raw);
  return read.success ? [{ ...read.data, raw }] : [];
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

function refused(response: HttpResponse, { googleKey }: ScraperConfig): ScrapeFailure {
  const { message, status, errors } = readJsonIf(response, Complaint)?.error ?? {};
  const reasons = [status, ...(errors ?? []).map(({ reason }) => reason)];
  return refusal(response, {
    place: PLACE,
    words: message,
    // The message may repeat the key as it was sent.
    secrets: googleKey ? [googleKey, encodeURIComponent(googleKey)] : [],
    exhausted: response.status === 429 || reasons.some((reason) => reason && EXHAUSTED.test(reason)),
    variables: VARIABLES,
  });
}
