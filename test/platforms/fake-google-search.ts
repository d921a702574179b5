import type { IncomingMessage, RequestListener } from 'node:http';
import { startSite } from '../harness/site.js';

type Json = Record<string, unknown>;

interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export const GOOGLE_KEY = 'AIza-secret/key+1';
export const GOOGLE_ENGINE = '017576662512468239146:omuauf_lfve';

let engines = 0;

/** The Custom Search JSON API: ten results per page, a hundred per query, `queries.nextPage`, and Google's errors. */
export class FakeGoogleSearch {
  /** The parameters of each request, in order. */
  readonly asked: URLSearchParams[] = [];
  /** The results of every query, best first. */
  results: unknown[] = [];
  /** Answers like this from the given request on (the first is 1). */
  refuses: (Answer & { from?: number }) | undefined;
  /** Its address after the start. */
  url = '';

  async start(): Promise<this> {
    engines += 1;
    const site = await startSite(this.listener);
    // Starts at its own host, because a refusal closes the host for all.
    this.url = site.url('/', `google-${engines}.example`);
    return this;
  }

  get config() {
    return { googleUrl: this.url, googleKey: GOOGLE_KEY, googleEngine: GOOGLE_ENGINE };
  }

  readonly listener: RequestListener = (request, response) => {
    const { status, body, headers } = this.answerTo(request);
    response.writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

  answerTo(request: IncomingMessage): Answer {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://google.example');
    this.asked.push(searchParams);
    const refused = this.refuses && this.asked.length >= (this.refuses.from ?? 1) ? this.refuses : undefined;
    return refused ?? this.answer(pathname, searchParams);
  }

  private answer(pathname: string, asked: URLSearchParams): Answer {
    if (pathname !== '/customsearch/v1') return googleError(404, 'Requested entity was not found.', 'NOT_FOUND');
    const [start, num] = [Number(asked.get('start')), Number(asked.get('num'))];
    if (asked.get('key') !== GOOGLE_KEY) return INVALID_KEY;
    const isValid =
      asked.get('cx') === GOOGLE_ENGINE && asked.get('q') && num <= 10 && start >= 1 && start + num <= 101;
    if (!isValid) return INVALID_ARGUMENT;
    const items = this.results.slice(start - 1, start - 1 + num);
    const request = { totalResults: String(this.results.length), count: items.length, startIndex: start };
    const hasMore = this.results.length >= start + num;
    return {
      status: 200,
      body: {
        kind: 'customsearch#search',
        queries: {
          request: [request],
          ...(hasMore && { nextPage: [{ ...request, startIndex: start + num }] }),
        },
        searchInformation: { totalResults: request.totalResults },
        // The API leaves this out if nothing is found.
        ...(items.length && { items }),
      },
    };
  }
}

export function googleError(code: number, message: string, status: string, reason = 'badRequest'): Answer {
  return { status: code, body: { error: { code, message, errors: [{ message, domain: 'global', reason }], status } } };
}

export const INVALID_KEY = googleError(400, 'API key not valid. Please pass a valid API key.', 'INVALID_ARGUMENT');
const INVALID_ARGUMENT = googleError(400, 'Request contains an invalid argument.', 'INVALID_ARGUMENT');

/** A result of a web search. */
export function result(link: string, fields: Json = {}): Json {
  return {
    kind: 'customsearch#result',
    title: `A page of ${link}`,
    htmlTitle: `A page of <b>${link}</b>`,
    link,
    displayLink: new URL(link).hostname,
    snippet: `What ${link} is about.`,
    ...fields,
  };
}

/** Results for that many companies. */
export const companies = (count: number) =>
  Array.from({ length: count }, (_, at) => result(`https://www.company-${at}.example/`));
