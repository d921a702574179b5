import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { FetchResult } from '../../src/contracts/fetch-result.js';
import { readAnswer } from '../../src/contracts/read-answer.js';
import { ScrapeResult } from '../../src/contracts/scrape-result.js';
import { fetchersFor } from '../../src/fetching/fetchers.js';
import { FeedParser } from '../../src/fetching/parsing/feed-parser.js';
import { AddressGuard } from '../../src/platform/http/address-guard.js';
import { firstHop } from '../../src/platform/http/hop.js';
import type { RequestOptions } from '../../src/platform/http/http-client.js';
import { toResponse } from '../../src/platform/http/http-response.js';
import { parseRemoteJson } from '../../src/platform/http/json-answer.js';
import { limitsFor } from '../../src/platform/http/request-limits.js';
import { TimeAllowance } from '../../src/platform/http/time-allowance.js';
import { Wire } from '../../src/platform/http/wire.js';
import { platforms } from '../../src/publishing/platforms.js';
import { scrapersFor } from '../../src/scraping/scrapers.js';
import { PageReader } from '../../src/scraping/web/page-reader.js';

export interface BombReport {
  /** `reader / bomb: how it ended`; `read` where the bomb did not count as an error. */
  outcomes: Record<string, string>;
  peakGrowthMb: number;
  longestStallMs: number;
}

const MB = 1_000_000;
const repeated = (part: string, bytes: number) => new Array(Math.ceil(bytes / (part.length + 1))).fill(part).join();
const list = (part: string, bytes: number) => `[${repeated(part, bytes)}]`;
/** Every field that some reader takes a list from. */
const everywhere = (value: string) =>
  `{${['feed', 'elements', 'items', 'entities', 'data', 'links', 'error', 'posts', 'leads', 'service', 'results']
    .map((name) => `"${name}":${value}`)
    .join()},"status":"success"}`;

const BOMBS: Record<string, string> = {
  'objects, 10 MB': list('{}', 9.9 * MB),
  'objects, 1.9 MB': list('{}', 1.9 * MB),
  'objects in fields, 1.9 MB': everywhere(list('{}', 170_000)),
  'lists of objects, 1.9 MB': list(list('{}', 2_000), 1.9 * MB),
  'objects within limits': everywhere(list('{}', 2_900)),
  'objects in posts': `{"status":"success","data":{"posts":${list('{}', 3 * MB)},"leads":${list('{}', 3 * MB)}}}`,
  'a JSON feed of objects': `{"title":"feed","items":${list('{}', 9 * MB)}}`,
  'deep lists': '['.repeat(1.9 * MB),
  'deep objects': `${'{"a":'.repeat(300_000)}1${'}'.repeat(300_000)}`,
  'many fields': `{${Array.from({ length: 100_000 }, (_, at) => `"field${at}":{}`).join()}}`,
  'long text': JSON.stringify({ error: 'x'.repeat(9 * MB), feed: 'y', items: 'z' }),
  'broken in the end': `${list('{"id":"1"}', 1.9 * MB)}]`,
};

const CREDENTIALS: Record<string, unknown> = {
  facebook: { pageId: '1', accessToken: 'token' },
  instagram: { userId: '1', accessToken: 'token' },
  linkedin: { author: 'urn:li:person:1', accessToken: 'token' },
  youtube: { clientId: 'a', clientSecret: 'b', refreshToken: 'c' },
  mastodon: { baseUrl: 'http://bomb.example/', accessToken: 'token' },
  bluesky: { service: 'http://bomb.example/', identifier: 'a.example', password: 'password' },
  webhook: { url: 'http://bomb.example/', secret: 'secret' },
};
const ACCOUNTS: Record<string, string> = {
  youtube: 'UC0000000000000000000000',
  bluesky: 'bomb.example',
  mastodon: 'user@bomb.example',
  rss: 'http://bomb.example/feed',
};

async function main(): Promise<BombReport> {
  let bomb: Buffer = Buffer.alloc(0);
  let status = 200;
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const readers = [...httpReaders(`http://bomb.example:${port}/`, port), ...workerReaders(() => BOMBS[current] ?? '')];
  let current = '';
  const report: BombReport = { outcomes: {}, peakGrowthMb: 0, longestStallMs: 0 };
  const delay = monitorEventLoopDelay({ resolution: 10 });
  const before = process.memoryUsage.rss();
  const watch = setInterval(() => {
    report.peakGrowthMb = Math.max(report.peakGrowthMb, (process.memoryUsage.rss() - before) / MB);
  }, 20);
  for (const [name, text] of Object.entries(BOMBS)) {
    current = name;
    bomb = gzipSync(text, { level: 1 });
    // What it took to make the bomb does not count.
    await sleep(50);
    delay.reset();
    delay.enable();
    for (status of [200, 400])
      for (const [reader, read] of readers)
        report.outcomes[`${reader} / ${name} (${status})`] = await read().then(
          () => 'read',
          (error: Error) => `${error.name}: ${error.message}`.slice(0, 200),
        );
    delay.disable();
    report.longestStallMs = Math.max(report.longestStallMs, delay.max / 1e6);
  }
  clearInterval(watch);
  server.close();
  return report;
}

type Reader = [name: string, read: () => Promise<unknown>];

function httpReaders(base: string, port: number): Reader[] {
  const http = clientFor(port);
  const { signal } = new AbortController();
  const feeds = new FeedParser();
  const pages = new PageReader();
  const nobody = () => Promise.reject(new Error('no worker'));
  const config = { youtubeUrl: base, blueskyUrl: base, mastodonUrl: base };
  const fetching = { http, config, parseFeed: feeds.parse.bind(feeds), askWorker: nobody };
  const command = { limit: 50, validators: {}, now: new Date(), signal };
  const scraping = {
    ...{ http, signal, now: new Date(), readPage: pages.read.bind(pages), askWorker: nobody },
    config: {
      ...{ googleUrl: base, googleKey: 'key', googleEngine: 'engine', crunchbaseUrl: base, crunchbaseKey: 'key' },
      overpassUrl: base,
    },
  };
  const criteria = { keywords: ['bread'], filters: { sites: [base] }, industry: 'bakery', geography: 'Bonn' };
  const publishing = {
    ...{ http, signal, now: () => new Date(), pause: async () => undefined, media: nobody },
    config: {
      ...{ facebookUrl: base, instagramUrl: base, linkedinUrl: base, youtubeApiUrl: base },
      googleTokenUrl: base,
    },
  };
  return [
    ...fetchersFor({ remoteTypes: [] }).map((fetcher): Reader => {
      const externalId = ACCOUNTS[fetcher.type] ?? 'somebody';
      return [`fetcher ${fetcher.type}`, () => fetcher.fetch({ ...command, externalId }, fetching)];
    }),
    ...scrapersFor({ remoteScrapers: [] }).map((scraper): Reader => {
      const scrape = async () => {
        for await (const _ of scraper.scrape(criteria, scraping));
      };
      return [`scraper ${scraper.type}`, scrape];
    }),
    ...platforms.flatMap((platform): Reader[] => {
      const credentials = platform.credentials.parse(CREDENTIALS[platform.name]);
      const content = { text: 'Hello', mediaUrls: [] };
      const post = { content, credentials, key: 'key', intendedAt: new Date(), progress: undefined };
      return [
        [`account ${platform.name}`, () => platform.whose(credentials, publishing)],
        [`platform ${platform.name}`, () => platform.publish(post as never, publishing)],
      ];
    }),
  ];
}

function workerReaders(body: () => string): Reader[] {
  const read = async (schema: typeof FetchResult | typeof ScrapeResult) => {
    const answer = await readAnswer<unknown>(schema, Buffer.from(body()), parseRemoteJson);
    if ('breach' in answer) throw new Error(answer.breach);
  };
  return [
    ['fetch worker', () => read(FetchResult)],
    ['scrape worker', () => read(ScrapeResult)],
  ];
}

/** The HTTP client without the gates for hosts, which need a database. */
function clientFor(port: number) {
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  const wire = new Wire(new AddressGuard({ networks: ['127.0.0.1'], ports: [] }, lookup), 'test');
  const request = async (url: string, options: RequestOptions = {}) => {
    const limits = limitsFor(options);
    const address = new URL(url);
    address.protocol = 'http:';
    address.port = String(port);
    const hop = firstHop(address.href, options);
    const time = new TimeAllowance(limits.timeouts.total, options.signal);
    return toResponse(await wire.exchange(hop, { limits, time }), hop, []);
  };
  return { request, get: request };
}

process.send?.(await main());
process.exit(0);
