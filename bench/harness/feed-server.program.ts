import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FeedItem, renderFeed } from '../../test/harness/feed-site.js';
import { paragraphs, words } from '../../test/imports/made-text.js';
import { seededRandom } from '../../test/program/seeded-random.js';

/**
 * `feed-server.program.js <patterns>` serves any number of feeds at `/<number>` and sends its address to the parent process.
 * Out of ten feeds, seven have validators and never change, two have no validators and never change, and one shows two
 * new items in each answer. The first ones are patterns, which stay unchanged, and the others begin as copies of them.
 */
const patterns = Number(process.argv[2]);
const ITEMS = 50;
const NEW_ITEMS = 2;
const TEXTS = 20;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

interface Body {
  bytes: Buffer;
  etag: string;
}

const bodies = new Map<string, Body>();
const asked = new Map<number, number>();
const startedAt = Date.now();

function bodyOf(feed: number, version: number): Body {
  const text = Math.floor(feed / 10) % TEXTS;
  const key = `${text} ${version}`;
  const body = bodies.get(key) ?? render(text, version);
  bodies.set(key, body);
  return body;
}

function render(text: number, version: number): Body {
  const newest = ITEMS + version * NEW_ITEMS;
  const items = Array.from({ length: ITEMS }, (_, age) => item(text, newest - age));
  const bytes = Buffer.from(renderFeed(`Feed ${text}`, items));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"` };
}

function item(text: number, number: number): FeedItem {
  const random = seededRandom(text * 1_000 + number);
  return {
    guid: `https://site.example/text-${text}/item-${number}`,
    title: `${words(6, random)} ${number}`,
    content: paragraphs(random),
    author: words(2, random),
    publishedAt: new Date(startedAt - DAY_MS + number * MINUTE_MS),
  };
}

function versionOf(feed: number): number {
  if (feed % 10 !== 9 || feed <= patterns) return 0;
  const version = (asked.get(feed) ?? 0) + 1;
  asked.set(feed, version);
  return version;
}

const server = createServer((request, response) => {
  const feed = Number(request.url?.slice(1));
  const { bytes, etag } = bodyOf(feed, versionOf(feed));
  const validators = feed % 10 < 7 ? { etag } : {};
  if ('etag' in validators && request.headers['if-none-match'] === etag) response.writeHead(304, validators).end();
  else response.writeHead(200, { 'content-type': 'application/rss+xml; charset=utf-8', ...validators }).end(bytes);
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once('disconnect', () => process.exit(0));
