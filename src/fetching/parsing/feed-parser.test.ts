import { Test } from '@nestjs/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FEED_URL, item, rssOf } from '../../../test/fetching/made-feeds.js';
import type { ThreadLimits } from '../../platform/threads/thread.js';
import { FeedParser } from './feed-parser.js';

const ROOMY: ThreadLimits = { timeoutMs: 30_000, memoryMb: 512 };

function newParser(limits: ThreadLimits = ROOMY) {
  const parser = new FeedParser(limits);
  onTestFinished(() => parser.onApplicationShutdown());
  return (text: string) => parser.parse({ body: Buffer.from(text), url: FEED_URL });
}

const simple = rssOf(item('<title>x</title><pubDate>2003-12-31</pubDate>'));
/** Needs the general reader, because of its empty item. */
const odd = rssOf(item('<title>x</title><pubDate>2003-12-31</pubDate>'), '<item/>');
/** Each media element is parsed as a separate file. */
const heavy = rssOf(
  item('<title>x</title>', '<media:group><media:content url="https://a.example/"/></media:group>'.repeat(150_000)),
);

describe('FeedParser', () => {
  it('reads feeds in threads, dates and all', async () => {
    const { posts } = await newParser()(odd);
    expect(posts).toMatchObject([{ title: 'x', publishedAt: new Date('2003-12-31') }]);
  });

  it('reads a plain feed itself unless it is large', async () => {
    const parser = new FeedParser(ROOMY);
    await parser.onApplicationShutdown();
    const parse = (text: string) => parser.parse({ body: Buffer.from(text), url: FEED_URL });
    await expect(parse(simple)).resolves.toMatchObject({ posts: [{ title: 'x' }] });
    await expect(parse(odd)).rejects.toMatchObject({ name: 'ThreadDied' });
    await expect(parse(simple.replace('x</title>', `${'x'.repeat(300_000)}</title>`))).rejects.toMatchObject({
      name: 'ThreadDied',
    });
  });

  it('is made with limits of its own', async () => {
    const module = await Test.createTestingModule({ providers: [FeedParser] }).compile();
    onTestFinished(() => module.close());
    expect(await module.get(FeedParser).parse({ body: Buffer.from(simple), url: FEED_URL })).toMatchObject({
      posts: [{ title: 'x' }],
    });
  });

  it('reads many at once, each as itself', async () => {
    const parse = newParser();
    const feeds = await Promise.all(
      Array.from({ length: 50 }, (_, number) => parse(rssOf(`<title>${number}</title>`))),
    );
    expect(feeds.map(({ title }) => title)).toEqual(Array.from({ length: 50 }, (_, number) => String(number)));
  });

  it('reads fields and tells what it could not read', async () => {
    const parser = new FeedParser(ROOMY);
    onTestFinished(() => parser.onApplicationShutdown());
    const body = Buffer.from(rssOf('<item/>', item('<company>Bread</company><title>x</title>')));
    expect(await parser.parse({ body, url: FEED_URL, fields: { company: ['company'] } })).toMatchObject({
      posts: [{ title: 'x', fields: { company: 'Bread' } }],
      unreadable: [{ place: 1 }],
    });
  });

  it('leaves the body to its owner', async () => {
    const parser = new FeedParser(ROOMY);
    onTestFinished(() => parser.onApplicationShutdown());
    const body = Buffer.from(simple);
    await parser.parse({ body, url: FEED_URL });
    expect(body.toString()).toBe(simple);
  });

  it('refuses what is no feed as a failure of the source', async () => {
    await expect(newParser()('<html></html>')).rejects.toMatchObject({
      name: 'FetchFailure',
      code: 'INVALID_CONTENT',
      message: 'this is an HTML page, not a feed',
    });
  });

  it('gives up on what takes too long, and goes on', async () => {
    const parse = newParser({ ...ROOMY, timeoutMs: 500 });
    await expect(parse(heavy)).rejects.toMatchObject({
      code: 'INVALID_CONTENT',
      message: 'reading the feed took longer than 0.5 seconds',
    });
    await expect(parse(odd)).resolves.toMatchObject({ posts: [{ title: 'x' }] });
  });

  it('gives up on what takes too much memory, and goes on', async () => {
    const parse = newParser({ ...ROOMY, memoryMb: 48 });
    await expect(parse(heavy)).rejects.toMatchObject({
      code: 'INVALID_CONTENT',
      message: 'reading the feed took too much memory',
    });
    await expect(parse(simple)).resolves.toMatchObject({ posts: [{ title: 'x' }] });
  });
});
