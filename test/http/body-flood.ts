import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, vi } from 'vitest';
import { subscriptions } from '../../src/fetching/websub/subscriptions.table.js';
import { Database } from '../../src/platform/database/database.js';
import { newDataFolder } from '../harness/data-folder.js';
import { runProgram } from '../harness/program.js';
import { ask, becomesReady } from '../program/api-client.js';
import { type MillraceProcess, startMillrace } from '../program/millrace-process.js';
import { newDatabase } from '../program/new-database.js';
import type { Route } from '../programs/millrace-with-route-list.js';
import type { ProbeReport } from '../programs/probe-live.js';

const MB = 1_048_576;
/** Larger than any route accepts. */
const BODY_BYTES = 33 * MB;
const CHUNK_BYTES = 65_536;
const KEY = 'an-admin-key-for-this-test-only';
const TOKEN = 'a-token-that-a-hub-was-given';

interface Shape {
  start: string;
  /** The text that is repeated after it. */
  unit: Buffer;
  headers?: Record<string, string>;
}

const repeated = (make: (at: number) => string) => {
  let text = '';
  for (let at = 0; text.length < CHUNK_BYTES; at++) text += make(at);
  return Buffer.from(text);
};

export const SHAPES: Record<string, Shape> = {
  'flat list': { start: '{"feeds":[', unit: repeated(() => '{},') },
  'deep nesting': { start: '{"feeds":', unit: repeated(() => '[') },
  'many keys': { start: '{', unit: repeated((at) => `"key${at}":1,`) },
  'long string': { start: '{"opml":"', unit: repeated(() => 'x') },
  gzip: { start: '', unit: gzipSync(Buffer.alloc(40 * MB, '[')), headers: { 'Content-Encoding': 'gzip' } },
  'XML elements': { start: '<opml>', unit: repeated(() => '<outline>'), headers: { 'Content-Type': 'text/xml' } },
};

interface Sending {
  route: Route;
  shape: Shape;
  key?: string | undefined;
  way: (typeof WAYS)[number];
}

/** `asked`: only once the server has asked for it, so that its answer is always read. */
const WAYS = ['of known length', 'in chunks', 'asked'] as const;

interface Burst {
  routes: Route[];
  shape: Shape;
  /** Concurrent bodies for each route, without a key and with one. */
  unauthenticated: number;
  authenticated: number;
}

/** Everything that went wrong in a burst, and what it cost. */
export interface Flooded extends ProbeReport {
  /** Bodies that were accepted, and bodies that were sent after `100 Continue` and got no answer. */
  wrong: string[];
  sent: number;
}

/** A Millrace of its own, and the routes that accept bodies. */
export class FloodedMillrace {
  private constructor(
    readonly process: MillraceProcess,
    private readonly address: string,
    readonly routes: Route[],
  ) {}

  static async start(): Promise<FloodedMillrace> {
    const databaseUrl = await newDatabase();
    const process = startMillrace(
      {
        DATABASE_URL: databaseUrl,
        MILLRACE_DATA_DIR: newDataFolder(),
        MILLRACE_ADMIN_KEY: KEY,
        MILLRACE_REQUESTS_PER_MINUTE: '1000000',
        MILLRACE_LOG_LEVEL: 'warn',
        PORT: '0',
      },
      'millrace-with-route-list',
    );
    const address = await process.address();
    await becomesReady(address);
    await storeSubscription(databaseUrl);
    const all = (await (await ask(`${address}/api/v1/routes`, { key: KEY })).json()) as Route[];
    const routes = all.filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
    return new FloodedMillrace(process, address, routes);
  }

  /** Sends all bodies of a route concurrently, one route after another. */
  async flood({ routes, shape, unauthenticated, authenticated }: Burst): Promise<Flooded> {
    const probe = runProgram<ProbeReport>('probe-live', [String(this.process.pid), this.address]);
    await vi.waitFor(() => expect(probe.printed()).toContain('probing'), { timeout: 30_000 });
    const wrong: string[] = [];
    for (const route of routes) {
      if (this.process.hasEnded) break;
      const keys = [...Array(unauthenticated).fill(undefined), ...Array(authenticated).fill(KEY)];
      const bodies = keys.map((key, at) => ({ route, shape, key, way: WAYS[at % WAYS.length] ?? 'asked' }));
      const statuses = await Promise.all(bodies.map((body) => this.send(body)));
      for (const [at, status] of statuses.entries())
        if (status === undefined ? bodies[at]?.way === 'asked' : status < 400)
          wrong.push(`${route.method} ${route.url}: ${status}`);
    }
    if (this.process.hasEnded) throw new Error(`Millrace has ended: ${this.process.stdout}${this.process.stderr}`);
    await probe.end('SIGTERM');
    return { wrong, sent: routes.length * (unauthenticated + authenticated), ...(await probe.said) };
  }

  /** The status, or undefined if the connection was closed before the answer could be read. */
  private send({ route, shape, key, way }: Sending): Promise<number | undefined> {
    const { start, unit, headers } = shape;
    const units = Math.ceil(BODY_BYTES / unit.length);
    const length = Buffer.byteLength(start) + units * unit.length;
    const request = httpRequest(new URL(pathOf(route, key), this.address), {
      method: route.method,
      agent: false,
      headers: {
        'Content-Type': 'application/json',
        ...headers,
        ...(way === 'in chunks' ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(length) }),
        ...(way === 'asked' && { Expect: '100-continue' }),
        ...(key && { Authorization: `Bearer ${key}` }),
      },
    });
    return new Promise((resolve) => {
      const body = Readable.from(piecesOf(start, unit, units));
      const end = (status: number | undefined) => {
        body.destroy();
        request.destroy();
        resolve(status);
      };
      request.once('response', ({ statusCode }) => end(statusCode));
      request.once('error', () => end(undefined));
      request.once('close', () => end(undefined));
      if (way !== 'asked') body.pipe(request);
      else request.once('continue', () => body.pipe(request)).flushHeaders();
    });
  }
}

function* piecesOf(start: string, unit: Buffer, units: number): Generator<Buffer> {
  if (start) yield Buffer.from(start);
  for (let sent = 0; sent < units; sent++) yield unit;
}

/** A hub is identified by its token, whatever key it sends. */
function pathOf({ url }: Route, key: string | undefined): string {
  if (url.startsWith('/websub/')) return `/websub/${key ? TOKEN : 'unknown'}`;
  return url.replaceAll(/:\w+/g, '1').replaceAll('*', 'x');
}

async function storeSubscription(databaseUrl: string): Promise<void> {
  const database = new Database(databaseUrl);
  const [hubUrl, topicUrl] = ['https://hub.example/', 'https://feed.example/'];
  await database.db.insert(subscriptions).values({
    hubUrl,
    hubUrls: [hubUrl],
    topicUrl,
    token: TOKEN,
    secret: 'a-secret',
    state: 'verified',
    begunAt: new Date(),
    jobState: 'done',
  });
  await database.onApplicationShutdown();
}
