import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface FeedItem {
  guid: string;
  title: string;
  content?: string;
  publishedAt?: Date;
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
  private readonly feeds = new Map<string, FeedItem[]>();
  private readonly answers = new Map<string, Answer>();
  private readonly server = createServer((request, response) => this.answer(request, response));
  /** Items that a feed shows, as real ones show their newest only. */
  window = 50;

  static async start(): Promise<FeedSite> {
    const site = new FeedSite();
    await new Promise<void>((resolve) => site.server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => site.stop());
    return site;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  publish(path: string, ...items: FeedItem[]): void {
    this.feeds.set(path, [...items.toReversed(), ...(this.feeds.get(path) ?? [])]);
  }

  /** What a path answers instead of a feed. */
  on(path: string, answer: Answer): void {
    this.answers.set(path, answer);
  }

  /** Serves the feed again. */
  mend(path: string): void {
    this.answers.delete(path);
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
    const special = this.answers.get(path);
    if (special) {
      special(request, response);
      return;
    }
    const items = this.feeds.get(path);
    if (!items) {
      response.writeHead(404).end('not here');
      return;
    }
    const body = renderFeed(path, items.slice(0, this.window));
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { 'content-type': 'application/rss+xml; charset=utf-8', etag }).end(body);
  }
}

export function renderFeed(title: string, items: FeedItem[]): string {
  const rendered = items.map(
    ({ guid, title, content = '', publishedAt }) => `<item><guid isPermaLink="false">${escaped(guid)}</guid>
      <title>${escaped(title)}</title><link>https://site.example/${encodeURIComponent(guid)}</link>
      ${publishedAt ? `<pubDate>${publishedAt.toUTCString()}</pubDate>` : ''}
      <description>${escaped(content)}</description></item>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>${escaped(title)}</title>
    <link>https://site.example/</link>${rendered.join('')}</channel></rss>`;
}

const escaped = (text: string) => text.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
