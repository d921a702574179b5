import { type Answer, type Asked, FaultyApi, type Json } from './faulty-api.js';

const DAY_MS = 86_400_000;

/** The parts of Meta's Graph API that Facebook and Instagram share: tokens, errors, fields, paging. */
export abstract class FakeGraphApi extends FaultyApi {
  /** Tokens, each with the page or account that it may act for. */
  readonly tokens = new Map<string, string>();
  /** Headers of every answer. */
  usage: Json | undefined;
  private lastId = 0;

  protected answer(asked: Asked): Answer {
    const token = asked.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const actor = this.tokens.get(token);
    const answer = this.judged(asked, actor, token);
    return this.usage ? { ...answer, headers: { ...answer.headers, ...usageHeaders(this.usage) } } : answer;
  }

  protected abstract act(asked: Asked, actor: string): Answer;

  protected newId(prefix: string): string {
    this.lastId += 1;
    return `${prefix}${String(this.lastId).padStart(9, '0')}`;
  }

  /** A page of a list, newest first. Like the real API, it repeats the token in the address of the next page. */
  protected list(items: Json[], { url, headers }: Asked): Answer {
    const limit = Number(url.searchParams.get('limit') ?? 25);
    if (limit > 100) return graphError(100, 'The limit must be less than or equal to 100');
    const start = Number(url.searchParams.get('after') ?? 0);
    const data = items.slice(start, start + limit).map((item) => picked(item, url));
    const next = new URL(url);
    next.searchParams.set('access_token', headers.authorization?.replace(/^Bearer /, '') ?? '');
    next.searchParams.set('after', String(start + limit));
    const hasMore = items.length > start + limit;
    const cursors = { before: String(start), after: String(start + limit) };
    return { status: 200, body: { data, paging: { cursors, ...(hasMore && { next: next.href }) } } };
  }

  private judged(asked: Asked, actor: string | undefined, token: string): Answer {
    if (asked.url.searchParams.has('access_token')) return graphError(100, 'a token in an address is seen by others');
    if (!actor)
      return graphError(190, `Error validating access token: ${token} has expired`, { status: 401, sub: 463 });
    const isJson = asked.headers['content-type']?.startsWith('application/json');
    if (asked.method === 'POST' && !isJson) return graphError(100, 'The body is no JSON');
    return this.act(asked, actor);
  }
}

export const usageHeaders = (usage: Json) => ({ 'X-Business-Use-Case-Usage': JSON.stringify(usage) });

/** The requested `fields` that exist, and always the id. */
export function picked(item: Json, url: URL): Json {
  const fields = url.searchParams.get('fields') ?? '';
  const wanted = Object.entries(item).filter(([name]) => name === 'id' || new RegExp(`\\b${name}\\b`).test(fields));
  return Object.fromEntries(wanted);
}

export function graphError(code: number, message: string, { status = 400, sub = 0, words = '' } = {}): Answer {
  const error = {
    message: `(#${code}) ${message}`,
    type: 'OAuthException',
    code,
    ...(sub && { error_subcode: sub }),
    ...(words && { error_user_title: 'Sorry', error_user_msg: words }),
    fbtrace_id: 'EJplcsCHuLu',
  };
  return { status, body: { error } };
}

export const noSuchObject = (id: string): Answer =>
  graphError(100, `Unsupported get request. Object with ID '${id}' does not exist`, { sub: 33 });

/** The version may be left out, as in the real API. */
export const partsOf = ({ url }: Asked): string[] => url.pathname.replace(/^\/(v\d+\.\d+\/)?/, '').split('/');
export const bodyOf = ({ body }: Asked): Json => JSON.parse(body.toString() || '{}');

/** Whole seconds, and an offset without a colon. */
export const graphTime = (at: Date): string => at.toISOString().replace(/\.\d{3}Z$/, '+0000');
export const isDayOld = (at: Date, now: Date): boolean => now.getTime() - at.getTime() >= DAY_MS;
