import { createHash } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import { startSite } from '../harness/site.js';

type Json = Record<string, unknown>;

interface Asked {
  url: URL;
  etag: string | undefined;
}

interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

let instances = 0;

/** An account of an instance with Mastodon's REST API: lookup, statuses by `max_id`, `Link`, ETags, rate limits. */
export class FakeMastodon {
  /** All requests in order. */
  readonly paths: string[] = [];
  /** Its posts, newest first. */
  statuses: Json[] = [];
  /** Answers every request like this instead. */
  refuses: Answer | undefined;
  account: Json = account('alice', { id: '101' });
  /** Accounts of other instances, which are requested here if Millrace asks one instance for all accounts. */
  neighbours: FakeMastodon[] = [];
  /** Further addresses that its ActivityPub actor at `users/<name>` names. */
  alsoKnownAs: string[] | undefined;
  /** Some servers send no ETags. */
  sendsLinks = true;
  /** Sends this instead of links to other pages. */
  links: string | undefined;
  /** Its address after the start. */
  url = '';
  private lastId = 113_000;

  async start(): Promise<this> {
    instances += 1;
    const site = await startSite(this.listener);
    // Starts at its own host, because a refusal closes the host for all.
    this.url = site.url('/', `mastodon-${instances}.example`);
    return this;
  }

  post(fields: Json = {}): Json {
    this.lastId += 7;
    const status = mastodonStatus(String(this.lastId), { account: this.account, ...fields });
    this.statuses.unshift(status);
    return status;
  }

  readonly listener: RequestListener = (request, response) => {
    const url = new URL(request.url ?? '/', this.url);
    this.paths.push(url.pathname + url.search);
    const asked = { url, etag: request.headers['if-none-match'] };
    const answers = [this, ...this.neighbours].map((one) => one.answer(asked));
    send(response, this.refuses ?? answers.find(({ status }) => status !== 404) ?? NOT_FOUND);
  };

  private answer({ url, etag }: Asked): Answer {
    if (this.alsoKnownAs && url.pathname === `/users/${this.account.username}`)
      return { status: 200, body: { type: 'Person', alsoKnownAs: this.alsoKnownAs } };
    const id = /^\/api\/v1\/accounts\/([^/]+)\/statuses$/.exec(url.pathname)?.[1];
    if (id === this.account.id) return this.page({ url, etag });
    const [user] = (url.searchParams.get('acct') ?? '').split('@');
    const found = url.pathname === '/api/v1/accounts/lookup' && user === this.account.username;
    return found ? { status: 200, body: this.account } : NOT_FOUND;
  }

  private page({ url, etag: known }: Asked): Answer {
    const limit = Number(url.searchParams.get('limit'));
    const maxId = url.searchParams.get('max_id');
    const older = this.statuses.filter((status) => maxId === null || Number(status.id) < Number(maxId));
    const body = older.slice(0, limit);
    const etag = `W/"${createHash('md5').update(JSON.stringify(body)).digest('hex')}"`;
    if (etag === known) return { status: 304, headers: { ETag: etag } };
    const here = `${url.origin}${url.pathname}`;
    const next = body.length === limit ? [`<${here}?limit=${limit}&max_id=${body.at(-1)?.id}>; rel="next"`] : [];
    const link = this.links ?? [...next, `<${here}?limit=${limit}&min_id=${body[0]?.id}>; rel="prev"`].join(', ');
    return { status: 200, body, headers: { ETag: etag, ...(this.sendsLinks && body.length > 0 && { Link: link }) } };
  }
}

const NOT_FOUND: Answer = { status: 404, body: { error: 'Record not found' } };

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-RateLimit-Limit': '300',
    'X-RateLimit-Remaining': '299',
    'X-RateLimit-Reset': '2030-01-01T00:05:00.000000Z',
    ...headers,
  });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export function account(username: string, fields: Json = {}): Json {
  return {
    id: '900',
    username,
    acct: username,
    display_name: username.toUpperCase(),
    locked: false,
    bot: false,
    url: `https://social.example/@${username}`,
    avatar: `https://files.social.example/${username}.png`,
    avatar_static: `https://files.social.example/${username}.png`,
    followers_count: 12,
    emojis: [],
    fields: [],
    ...fields,
  };
}

export function mastodonStatus(id: string, fields: Json = {}): Json {
  return {
    id,
    created_at: '2024-05-06T07:08:09.123Z',
    in_reply_to_id: null,
    sensitive: false,
    spoiler_text: '',
    visibility: 'public',
    language: 'en',
    uri: `https://social.example/users/alice/statuses/${id}`,
    url: `https://social.example/@alice/${id}`,
    replies_count: 0,
    reblogs_count: 0,
    favourites_count: 0,
    edited_at: null,
    content: `<p>status ${id}</p>`,
    reblog: null,
    account: account('alice', { id: '101' }),
    media_attachments: [],
    mentions: [],
    tags: [],
    emojis: [],
    card: null,
    poll: null,
    ...fields,
  };
}
