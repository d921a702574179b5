import { z } from 'zod';
import type { HttpResponse } from '../../platform/http/http-response.js';
import type { ScraperConfig, ScraperTools } from '../scraper.js';
import { type Refused, readJson, refusal } from '../scrapers/api-answer.js';

export interface Search {
  query: string;
  /** An ISO 3166-1 alpha-2 code in lower case. */
  country?: string | undefined;
  /** A language code in lower case, optionally with a region: `pt-br`. */
  language?: string | undefined;
}

export interface SearchResult {
  link: string;
  title?: string | null | undefined;
  snippet?: string | null | undefined;
  /** Structured data of the page as Google returns it: by type, names in lower case, values as text. */
  pagemap?: Record<string, unknown> | null | undefined;
  /** The result as the provider returned it. */
  raw: unknown;
}

interface SearchPage {
  results: SearchResult[];
  hasMore: boolean;
}

/** A web search that an operator can configure with `MILLRACE_SEARCH_PROVIDER`. */
export interface SearchProvider {
  readonly name: NonNullable<ScraperConfig['searchProvider']>;
  readonly title: string;
  /** Returns the environment variables that are not set. */
  missing(config: ScraperConfig): string[];
  /** It fails with a ScrapeFailure or an OutgoingRequestError. Page numbers start at 0. */
  page(request: { search: Search; number: number }, tools: ScraperTools): Promise<SearchPage>;
}

const MAX_TITLE_LENGTH = 1_000;

export const Link = z.url({ protocol: /^https?$/ });

export const Title = z
  .string()
  .transform((title) => title.slice(0, MAX_TITLE_LENGTH))
  .nullish()
  .catch(undefined);

export const Snippet = z.string().nullish().catch(undefined);

/** An unreadable result does not affect the others. */
export function resultsOf(items: unknown[], item: z.ZodType<Omit<SearchResult, 'raw'>>): SearchResult[] {
  return items.flatMap((raw) => {
    const read = item.safeParse(raw);
    return read.success ? [{ ...read.data, raw }] : [];
  });
}

interface ProviderRequest<T> {
  url: URL;
  headers?: Record<string, string>;
  /** A request with a body is a POST of JSON. */
  body?: object;
  answer: z.ZodType<T>;
  refused(response: HttpResponse): Refused;
}

export async function askProvider<T>(request: ProviderRequest<T>, { http, signal }: ScraperTools): Promise<T> {
  const { url, headers, body, answer } = request;
  signal.throwIfAborted();
  const response = await http.request(url.href, {
    method: body ? 'POST' : 'GET',
    headers: { Accept: 'application/json', ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
    signal,
  });
  const refused = request.refused(response);
  if (response.status !== 200) throw refusal(response, refused);
  return readJson(response, answer, { place: refused.place });
}

export function withParameters(url: URL, parameters: Record<string, string | undefined>): URL {
  for (const [name, value] of Object.entries(parameters)) if (value) url.searchParams.set(name, value);
  return url;
}
