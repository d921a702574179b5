import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './feed-storm.js';

interface Account {
  address: string;
  key: string;
  name: string;
}

/** A user who follows feeds and reads, also while the server is failing. */
export class StormReader {
  constructor(
    private readonly account: Account,
    private readonly followed: { paths: string[]; world: World },
  ) {}

  async follow(): Promise<void> {
    const { paths, world } = this.followed;
    const outlines = paths.map((path) => `<outline type="rss" xmlUrl="${world.site.url(path)}"/>`);
    const opml = `<opml version="2.0"><body>${outlines.join('')}</body></opml>`;
    const response = await this.ask('/sources/opml', { method: 'POST', body: JSON.stringify({ opml }) });
    if (response.status !== 202) throw new Error(`OPML answered ${response.status}: ${await response.text()}`);
  }

  /** Errors are expected while the database is away. Errors of any other kind are not. */
  async keepReading(end: number): Promise<void> {
    while (Date.now() < end) {
      const { status } = await this.ask('/feed');
      if (![200, 503].includes(status)) throw new Error(`the feed answered ${status}`);
      await sleep(1_000);
    }
  }

  async refresh(): Promise<void> {
    await this.ask('/feed/refresh', { method: 'POST' });
  }

  expected(): string[] {
    return this.followed.paths.flatMap((path) => this.followed.world.titlesOf(path));
  }

  missing(titles: string[]): string[] {
    const found = new Set(titles);
    return this.expected().filter((title) => !found.has(title));
  }

  async wholeTimeline(): Promise<string[]> {
    const titles: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const response = await this.ask(`/feed?limit=100${cursor && `&cursor=${cursor}`}`);
      const page = (await response.json()) as { items: { title: string }[]; nextCursor: string | null };
      titles.push(...page.items.map(({ title }) => title));
      cursor = page.nextCursor;
    }
    return titles;
  }

  private ask(path: string, request: RequestInit = {}): Promise<Response> {
    const { address, key, name } = this.account;
    const headers = {
      authorization: `Bearer ${key}`,
      'x-millrace-user': name,
      ...(request.body ? { 'content-type': 'application/json' } : {}),
    };
    return fetch(`${address}/api/v1${path}`, { ...request, headers });
  }
}
