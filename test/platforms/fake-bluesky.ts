import type { RequestListener, ServerResponse } from 'node:http';
import { startSite } from '../harness/site.js';

type Json = Record<string, unknown>;

interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export const ALICE = {
  did: 'did:plc:aliceaaaaaaaaaaaaaaaaaaa',
  handle: 'alice.example',
  displayName: 'Alice',
  avatar: 'https://cdn.bsky.example/img/avatar/plain/alice@jpeg',
};
export const BOB = { did: 'did:plc:bobbbbbbbbbbbbbbbbbbbbbb', handle: 'bob.example' };

interface Entry {
  /** The time by which pages are cut. */
  sortAt: number;
  item: Json;
}

let appViews = 0;

/** The feed of one author from an AppView: `getAuthorFeed` with limits, cursors by time, rate limits and XRPC errors. */
export class FakeBluesky {
  /** All requests in order. */
  readonly paths: string[] = [];
  /** Answers every request like this instead. */
  refuses: Answer | undefined;
  /** Indices of hidden entries, such as those of suspended accounts. Pages become shorter by them. */
  readonly hidden = new Set<number>();
  /** Its address after the start. */
  url = '';
  /** Its posts, oldest first. */
  private readonly entries: Entry[] = [];

  async start(): Promise<this> {
    appViews += 1;
    const site = await startSite(this.listener);
    // Starts at its own host, because a refusal closes the host for all.
    this.url = site.url('/', `bluesky-${appViews}.example`);
    return this;
  }

  post(fields: Json = {}, record: Json = {}): Json {
    const post = postView(`3k${this.entries.length}`, fields, record);
    this.add({ post });
    return post;
  }

  repost(post: Json, reason: Json = {}): void {
    const indexedAt = '2024-07-01T00:00:00.000Z';
    this.add({ post, reason: { $type: 'app.bsky.feed.defs#reasonRepost', by: ALICE, indexedAt, ...reason } });
  }

  add(item: Json): void {
    this.entries.push({ sortAt: this.entries.length, item });
  }

  readonly listener: RequestListener = (request, response) => {
    const url = new URL(request.url ?? '/', this.url);
    this.paths.push(url.pathname + url.search);
    send(response, this.refuses ?? this.answer(url));
  };

  private answer({ pathname, searchParams }: URL): Answer {
    if (pathname !== '/xrpc/app.bsky.feed.getAuthorFeed') return invalid('MethodNotImplemented', 501);
    if (![ALICE.did, ALICE.handle].includes(searchParams.get('actor') ?? '')) return invalid('Profile not found');
    const limit = Number(searchParams.get('limit'));
    if (!(limit >= 1 && limit <= 100)) return invalid('Error: limit must be from 1 to 100');
    const cursor = searchParams.get('cursor');
    const older = this.entries.filter(({ sortAt }) => cursor === null || sortAt < Number(cursor)).reverse();
    const page = older.slice(0, limit);
    const feed = page.filter(({ sortAt }) => !this.hidden.has(sortAt)).map(({ item }) => item);
    const last = page.at(-1);
    return { status: 200, body: { feed, ...(last && { cursor: String(last.sortAt) }) } };
  }
}

export function postView(key: string, fields: Json = {}, record: Json = {}): Json {
  return {
    uri: `at://${ALICE.did}/app.bsky.feed.post/${key}`,
    cid: `bafy${key}`,
    author: ALICE,
    record: {
      $type: 'app.bsky.feed.post',
      text: `post ${key}`,
      createdAt: '2024-05-06T07:08:09.123Z',
      langs: ['en'],
      ...record,
    },
    replyCount: 0,
    repostCount: 0,
    likeCount: 0,
    quoteCount: 0,
    indexedAt: '2024-05-06T07:08:10.456Z',
    labels: [],
    ...fields,
  };
}

function invalid(message: string, status = 400): Answer {
  return { status, body: { error: 'InvalidRequest', message } };
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'RateLimit-Limit': '3000',
    'RateLimit-Remaining': '2999',
    'RateLimit-Reset': String(Date.parse('2030-01-01T00:05:00Z') / 1000),
    'RateLimit-Policy': '3000;w=300',
    ...headers,
  });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
