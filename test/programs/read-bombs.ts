import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import type { FetchCommand } from '../../src/fetching/fetcher.js';
import { fetchersFor } from '../../src/fetching/fetchers.js';
import { FeedParser } from '../../src/fetching/parsing/feed-parser.js';
import { askWorker } from '../../src/fetching/remote/ask-worker.js';
import { fingerprint, keepBody } from '../../src/platform/broker/kept-body.js';
import { RpcMetrics } from '../../src/platform/broker/rpc-metrics.js';
import type { Call } from '../../src/platform/broker/waiting-calls.js';
import { WorkerRpc } from '../../src/platform/broker/worker-rpc.js';
import { AddressGuard } from '../../src/platform/http/address-guard.js';
import { firstHop } from '../../src/platform/http/hop.js';
import type { RequestOptions } from '../../src/platform/http/http-client.js';
import { toResponse } from '../../src/platform/http/http-response.js';
import { limitsFor, TimeAllowance } from '../../src/platform/http/request-limits.js';
import { Wire } from '../../src/platform/http/wire.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { platforms } from '../../src/publishing/platforms.js';
import { PageReader } from '../../src/scraping/crawler/page-reader.js';
import { readScrapeJob } from '../../src/scraping/jobs/scrape-messages.js';
import { WorkerSearches } from '../../src/scraping/jobs/worker-searches.js';
import { scrapersFor } from '../../src/scraping/scrapers.js';

export interface BombReport {
  /** `reader / bomb: result`. The result is `read` if the bomb did not count as an error. */
  outcomes: Record<string, string>;
  peakGrowthMb: number;
  /** The reader and bomb with the largest memory. */
  peakDuring: string;
  /** The longest stall of the event loop. */
  maxStallMs: number;
  /** The same without the time for which the main thread waited for a core that other programs used. */
  maxOwnStallMs: number;
  /** The longest CPU time of the main thread without a turn of the event loop, and the reader and bomb of the longest ones. */
  maxStallCpuMs: number;
  longestStalls: Stall[];
}

interface Stall {
  name: string;
  cpuMs: number;
}

const MB = 1_000_000;
const repeated = (part: string, bytes: number) => new Array(Math.ceil(bytes / (part.length + 1))).fill(part).join();
const list = (part: string, bytes: number) => `[${repeated(part, bytes)}]`;
/** Every field from which a reader takes a list. */
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
  'deep XML': '<a>'.repeat(600_000),
  'many elements': `<root>${'<a/>'.repeat(2_400_000)}</root>`,
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
/** The state that an earlier attempt leaves behind, without which some platforms look for nothing. */
const PROGRESS: Record<string, unknown> = {
  instagram: { parts: [], container: { id: '1', madeOf: 'something' } },
  youtube: { session: 'http://bomb.example/session', size: 6, of: 'something' },
};
const PROFILES: Record<string, string> = {
  youtube: 'https://www.youtube.com/@bomb',
  mastodon: 'https://bomb.example/@user',
};
const ACCOUNTS: Record<string, string> = {
  youtube: 'UC0000000000000000000000',
  bluesky: 'bomb.example',
  mastodon: 'user@bomb.example',
  rss: 'http://bomb.example/feed',
};

/** One of each kind, for runs with less time. */
const SHORT = ['objects, 10 MB', 'objects within limits', 'deep objects', 'long text', 'many elements'];
const isShort = process.argv.includes('short');

async function main(): Promise<BombReport> {
  let bomb: Buffer = Buffer.alloc(0);
  let status = 200;
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': typeOf(current), 'content-encoding': 'gzip' }).end(bomb);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let current = '';
  const sent = () => Buffer.from(BOMBS[current] ?? '');
  const readers = [...httpReaders(`http://bomb.example:${port}/`, port), ...brokerReaders(sent)];
  const outcomes: BombReport['outcomes'] = {};
  const stalls = new StallWatch();
  let peakGrowthMb = 0;
  let [about, peakDuring] = ['', ''];
  const before = process.memoryUsage.rss();
  const watch = setInterval(() => {
    const growthMb = (process.memoryUsage.rss() - before) / MB;
    if (growthMb <= peakGrowthMb) return;
    peakGrowthMb = growthMb;
    peakDuring = about;
  }, 20);
  for (const [name, text] of Object.entries(BOMBS)) {
    if (isShort && !SHORT.includes(name)) continue;
    current = name;
    bomb = gzipSync(text, { level: 1 });
    // The cost of creating the bomb does not count.
    await sleep(50);
    for (status of isShort ? [200] : [200, 400])
      for (const [reader, read] of readers) {
        about = `${reader} / ${name} (${status})`;
        outcomes[about] = await stalls.during(about, read).then(
          () => 'read',
          (error: Error) => `${error.name}: ${error.message}`.slice(0, 200),
        );
      }
  }
  clearInterval(watch);
  server.close();
  return { outcomes, peakGrowthMb, peakDuring, ...stalls.report() };
}

const typeOf = (bomb: string) => (BOMBS[bomb]?.startsWith('<') ? 'application/xml' : 'application/json');

const TICK_MS = 5;
const REPORTED_STALLS = 5;

/** Measures the longest stall of the event loop while something runs. */
class StallWatch {
  private readonly stalls: Stall[] = [];
  private maxStallMs = 0;
  private maxOwnStallMs = 0;

  async during<T>(name: string, work: () => Promise<T>): Promise<T> {
    let [lastMs, last] = [performance.now(), mainThread()];
    let cpuMs = 0;
    const look = () => {
      const [nowMs, now] = [performance.now(), mainThread()];
      const stallMs = nowMs - lastMs - TICK_MS;
      this.maxStallMs = Math.max(this.maxStallMs, stallMs);
      this.maxOwnStallMs = Math.max(this.maxOwnStallMs, stallMs - (now.waitedMs - last.waitedMs));
      cpuMs = Math.max(cpuMs, now.cpuMs - last.cpuMs);
      [lastMs, last] = [nowMs, now];
    };
    const timer = setInterval(look, TICK_MS);
    try {
      return await work();
    } finally {
      // A stall at the very end is seen by the tick after it.
      await sleep(TICK_MS);
      look();
      clearInterval(timer);
      this.stalls.push({ name, cpuMs });
    }
  }

  report() {
    const longestStalls = this.stalls.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, REPORTED_STALLS);
    const { maxStallMs, maxOwnStallMs } = this;
    return { maxStallMs, maxOwnStallMs, maxStallCpuMs: longestStalls[0]?.cpuMs ?? 0, longestStalls };
  }
}

/** CPU time of the main thread, and its time without a core. Where Linux does not report it, all is CPU time. */
function mainThread(): { cpuMs: number; waitedMs: number } {
  try {
    const [runningNs, waitingNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ');
    return { cpuMs: Number(runningNs) / 1e6, waitedMs: Number(waitingNs) / 1e6 };
  } catch {
    return { cpuMs: performance.now(), waitedMs: 0 };
  }
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
    http,
    signal,
    now: new Date(),
    readPage: pages.read.bind(pages),
    askWorker: nobody,
    config: {
      googleUrl: base,
      googleKey: 'key',
      googleEngine: 'engine',
      crunchbaseUrl: base,
      crunchbaseKey: 'key',
      overpassUrl: base,
    },
  };
  const criteria = { keywords: ['bread'], filters: { sites: [base] }, industry: 'bakery', geography: 'Bonn' };
  const publishing = {
    http,
    signal,
    now: () => new Date(),
    pause: async () => undefined,
    media: async () => ({ bytes: Buffer.from('GIF89a'), type: 'image/gif', name: 'file.gif' }),
    config: {
      facebookUrl: base,
      instagramUrl: base,
      linkedinUrl: base,
      youtubeApiUrl: base,
      googleTokenUrl: base,
    },
  };
  return [
    ...fetchersFor({ remoteTypes: [] }).map((fetcher): Reader => {
      const externalId = ACCOUNTS[fetcher.type] ?? 'somebody';
      return [`fetcher ${fetcher.type}`, () => fetcher.fetch({ ...command, externalId }, fetching)];
    }),
    ...fetchersFor({ remoteTypes: [] }).flatMap(({ type, lookUp }): Reader[] => {
      const page = new URL(PROFILES[type] ?? base);
      const look = async () => {
        if (!(await lookUp?.(page, fetching, signal))) throw new Error('no source');
      };
      return lookUp ? [[`lookup ${type}`, look]] : [];
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
      const progress = PROGRESS[platform.name];
      const post = { content, credentials, key: 'key', intendedAt: new Date(), progress };
      const withFiles = { ...post, content: { ...content, title: 'Hello', mediaUrls: ['http://bomb.example/file'] } };
      const { find, refresh, prepare } = platform;
      const save = async () => undefined;
      return [
        [`account ${platform.name}`, () => platform.whose(credentials, publishing)],
        [`platform ${platform.name}`, () => platform.publish(post as never, publishing)],
        ...(find ? [[`search ${platform.name}`, () => find(post, publishing)] satisfies Reader] : []),
        ...(refresh
          ? [[`refresh ${platform.name}`, () => refresh(credentials, 'refused', publishing)] satisfies Reader]
          : []),
        ...(prepare ? [[`upload ${platform.name}`, () => prepare(withFiles, publishing, save)] satisfies Reader] : []),
      ];
    }),
  ];
}

/** Everything that arrives over RabbitMQ: results of workers of every type, scrape jobs and dead messages. */
function brokerReaders(body: () => Buffer): Reader[] {
  const { signal } = new AbortController();
  const rpc = new BombRpc(body);
  const timeoutMs = 60_000;
  const searches = new WorkerSearches({ remoteTimeoutMs: timeoutMs } as never, rpc);
  const command = { limit: 50, validators: {}, now: new Date(), signal };
  const fetching = {
    askWorker: (type: string, asked: FetchCommand) => askWorker(rpc, { type, command: asked, timeoutMs }),
  };
  const scraping = { signal, now: new Date(), askWorker: (...asked: Asked) => searches.ask(...asked, signal) };
  const types = { refusals: () => [] };
  return [
    ...fetchersFor({ remoteTypes: ['instagram', 'twitter', 'other'] }).flatMap((fetcher): Reader[] =>
      fetcher.remote
        ? [[`worker ${fetcher.type}`, () => fetcher.fetch({ ...command, externalId: 'somebody' }, fetching as never)]]
        : [],
    ),
    ...scrapersFor({ remoteScrapers: ['other'] }).flatMap((scraper): Reader[] => {
      const scrape = async () => {
        for await (const _ of scraper.scrape({ keywords: ['bread'], filters: {} }, scraping as never));
      };
      return scraper.remote ? [[`search worker ${scraper.type}`, scrape]] : [];
    }),
    [
      'scrape job',
      async () => {
        const read = await readScrapeJob(body(), types);
        if ('breach' in read) throw new Error(read.breach);
      },
    ],
    [
      'dead message',
      async () => {
        const { encoding } = JSON.parse(JSON.stringify({ ...keepBody(body()), print: fingerprint(keepBody(body())) }));
        throw new Error(`kept as ${encoding}`);
      },
    ],
  ];
}

/** A worker in this process that answers every command with the bomb. */
class BombRpc extends WorkerRpc {
  readonly isConfigured = true;

  constructor(private readonly body: () => Buffer) {
    const log = pino({ level: 'silent' });
    super(new RpcMetrics(new Metrics(log)), log);
  }

  protected async send(_queue: string, _message: object, { id }: Call): Promise<void> {
    this.waiting.take(id)?.resolve(this.body());
  }
}

type Asked = [type: string, question: Parameters<WorkerSearches['ask']>[1]];

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
