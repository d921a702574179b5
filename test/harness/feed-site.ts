import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface FeedItem {
  guid: string;
  title: string;
  content?: string;
  author?: string;
  publishedAt?: Date;
}

/** Text that takes the place of an item. */
export interface RawItem {
  xml: string;
}

/** Links to older items, as in RFC 5005. */
export interface Older {
  rel: 'next' | 'prev-archive';
  url: string;
}

interface Shown {
  items: (FeedItem | RawItem)[];
  older?: Older | undefined;
}

interface Rendered {
  window: number;
  body: Buffer;
  etag: string;
}

interface Answered {
  path: string;
  status: number;
  at: number;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Somebody else's site with feeds that grow, on loopback. It speaks HTTP as such sites do, validators included, and keeps a log. */
export class FeedSite {
  readonly log: Answered[] = [];
  private readonly feeds = new Map<string, Shown>();
  private readonly rendered = new Map<string, Rendered>();
  private readonly answers = new Map<string, Answer>();
  private readonly server = createServer((request, response) => this.answer(request, response));
  /** Hubs that all its feeds name. */
  hubs: string[] = [];
  /** The number of items that a feed shows. Real feeds show only their newest ones. */
  window = 50;
  /** Delay of each answer. */
  delayMs = 0;

  /** Runs until the test ends. */
  static async start(): Promise<FeedSite> {
    const site = await FeedSite.open();
    onTestFinished(() => site.stop());
    return site;
  }

  /** Runs until it is stopped. */
  static async open(): Promise<FeedSite> {
    const site = new FeedSite();
    await new Promise<void>((resolve) => site.server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  publish(path: string, ...items: FeedItem[]): void {
    this.show(path, [...items.toReversed(), ...(this.feeds.get(path)?.items ?? [])]);
  }

  /** Replaces all items of the feed. */
  show(path: string, items: Shown['items'], older?: Older): void {
    this.feeds.set(path, { items, older });
    this.rendered.delete(path);
  }

  /** Answers requests for a path with this instead of a feed. */
  on(path: string, answer: Answer): void {
    this.answers.set(path, answer);
  }

  /** Serves the feed again. */
  repair(path: string): void {
    this.answers.delete(path);
  }

  /** Rendered once per version of the feed. */
  render(path: string): Rendered | undefined {
    const feed = this.feeds.get(path);
    const known = this.rendered.get(path);
    if (!feed || known?.window === this.window) return known;
    const links = this.hubs.map((href) => `<atom:link rel="hub" href="${escaped(href)}"/>`).join('');
    const feedText = renderFeed(path, feed.items.slice(0, this.window), feed.older);
    const body = Buffer.from(feedText.replace('<channel>', `<channel>${links}`));
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
    const rendered = { window: this.window, body, etag };
    this.rendered.set(path, rendered);
    return rendered;
  }

  requests(path: string): Answered[] {
    return this.log.filter((one) => one.path === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    const at = Date.now();
    response.on('close', () => this.log.push({ path, status: response.statusCode, at }));
    const respond = this.answers.get(path) ?? this.serve.bind(this);
    if (this.delayMs) setTimeout(respond, this.delayMs, request, response);
    else respond(request, response);
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    const feed = this.render(path);
    if (!feed) {
      response.writeHead(404).end('not here');
      return;
    }
    const { body, etag } = feed;
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { 'content-type': 'application/rss+xml; charset=utf-8', etag }).end(body);
  }
}

const NAMESPACES = 'xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"';

export function renderFeed(title: string, items: (FeedItem | RawItem)[], older?: Older): string {
  const link = older ? `<atom:link rel="${older.rel}" href="${escaped(older.url)}"/>` : '';
  return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0" ${NAMESPACES}><channel><title>${escaped(title)}</title>
    <link>https://site.example/</link>${link}${items.map(renderItem).join('')}</channel></rss>`;
}

function renderItem(item: FeedItem | RawItem): string {
  if ('xml' in item) return item.xml;
  const { guid, title, content = '', author, publishedAt } = item;
  return `<item><guid isPermaLink="false">${escaped(guid)}</guid>
      <title>${escaped(title)}</title><link>https://site.example/${encodeURIComponent(guid)}</link>
      ${publishedAt ? `<pubDate>${publishedAt.toUTCString()}</pubDate>` : ''}
      ${author ? `<dc:creator>${escaped(author)}</dc:creator>` : ''}
      <description>${escaped(content)}</description></item>`;
}

const escaped = (text: string) => text.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
