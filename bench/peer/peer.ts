import { administer, dropDatabase, makeTemplateDatabase, withDatabase } from '../../test/harness/administration.js';
import type { Feeds } from '../fetch/contest.js';
import { progress } from '../harness/progress.js';
import { renderNextRound, withServedFeeds } from '../harness/served-feeds.js';
import { withBenchServers } from '../harness/servers.js';
import { between, each, residentMb, type Usage, usageOf } from '../harness/usage.js';
import { type Measurement, median } from '../report.js';
import { withOurReader } from './millrace.js';
import { findMiniflux, withMiniflux } from './miniflux.js';
import { PAGE_SIZE, type Reader } from './reader.js';

const FEEDS = 400;
/** V8 optimises the last code of a fetch only after thousands of fetches, so all readers get this many rounds. */
const ROUNDS_TO_WARM_UP = 8;
const ROUNDS = 5;
const PAGES_TO_WARM_UP = 100;
const PAGES = 200;
const TARGETS = { cold: 6, steady: 10, peakMb: 180 };

const HOW_TO_GET_IT =
  'This benchmark needs a `miniflux` program on the PATH, or its path in MINIFLUX. ' +
  'Debian has the package `miniflux` from trixie on.\n';

interface Round {
  rate: number;
  cost: Usage;
}

interface Result {
  name: string;
  cold: Round;
  steady: Round[];
  peakMb: number;
  laterMb: number;
  page: { cost: Usage; ms: number; bytes: number };
  entries: number;
}

/**
 * Runs the same feeds through Miniflux and Millrace, one after the other, in databases of one PostgreSQL server: first
 * all new, then in the steady mix, then pages of unread entries.
 */
export async function run(): Promise<Measurement[]> {
  const program = findMiniflux();
  if (!program) {
    process.stderr.write(HOW_TO_GET_IT);
    process.exit(1);
  }
  return withServedFeeds(0, (site) =>
    withBenchServers(async ({ databaseUrl, redisUrl }) => {
      const feeds = (from: number): Feeds => ({ site, from, count: FEEDS });
      const measureReader = (reader: Reader) => measure(reader, site);
      progress('Miniflux: start');
      await administer(databaseUrl, 'CREATE DATABASE miniflux');
      const miniflux = withDatabase(databaseUrl, 'miniflux');
      const peer = await withMiniflux({ program, databaseUrl: miniflux, feeds: feeds(1_000_000) }, measureReader);
      await dropDatabase(databaseUrl, 'miniflux');
      const ours: Result[] = [];
      for (const [from, redis] of [[2_000_000, undefined] as const, [3_000_000, redisUrl] as const]) {
        progress(`Millrace, queue on ${redis ? 'Redis' : 'PostgreSQL'}: start`);
        const name = await makeTemplateDatabase(databaseUrl);
        const servers = { databaseUrl: withDatabase(databaseUrl, name), redisUrl: redis };
        ours.push(await withOurReader(servers, feeds(from), measureReader));
        await dropDatabase(databaseUrl, name);
      }
      return lines(peer, ours);
    }),
  );
}

async function measure(reader: Reader, site: string): Promise<Result> {
  const oneRound = async (phase: string): Promise<Round> => {
    progress(`${reader.name}: ${phase}`);
    await renderNextRound(site);
    const rate = await reader.round();
    if (!reader.cost) throw new Error(`the cost of a round of ${reader.name} is unknown`);
    return { rate, cost: reader.cost };
  };
  const cold = await oneRound(`${FEEDS} feeds for the first time`);
  const peakMb = await residentMb(reader.pid, 'VmHWM');
  // The database does its pending maintenance for the many new rows now.
  await reader.client.query('VACUUM ANALYZE');
  await reader.client.query('CHECKPOINT');
  for (let round = 1; round <= ROUNDS_TO_WARM_UP; round++) await oneRound(`warm-up ${round} of ${ROUNDS_TO_WARM_UP}`);
  const steady: Round[] = [];
  for (let round = 1; round <= ROUNDS; round++) steady.push(await oneRound(`steady round ${round} of ${ROUNDS}`));
  const laterMb = await residentMb(reader.pid, 'VmRSS');
  return {
    name: reader.name,
    cold,
    steady,
    peakMb,
    laterMb,
    page: await pages(reader),
    entries: await reader.entries(),
  };
}

async function pages(reader: Reader): Promise<Result['page']> {
  progress(`${reader.name}: pages of unread entries`);
  await reader.client.query('VACUUM ANALYZE');
  for (let n = 0; n < PAGES_TO_WARM_UP; n++) await reader.unreadPage();
  const times: number[] = [];
  let bytes = 0;
  const before = await usageOf(reader);
  for (let n = 0; n < PAGES; n++) {
    const startedAt = performance.now();
    const page = await reader.unreadPage();
    times.push(performance.now() - startedAt);
    if (page.entries !== PAGE_SIZE) throw new Error(`${reader.name} showed ${page.entries} entries`);
    bytes = page.bytes;
  }
  return { cost: each(between(before, await usageOf(reader)), PAGES), ms: median(times), bytes };
}

function lines(peer: Result, ours: Result[]): Measurement[] {
  for (const { name, entries } of ours) {
    if (entries !== peer.entries) throw new Error(`${name} stored ${entries} entries, Miniflux ${peer.entries}`);
  }
  const all = [peer, ...ours];
  return [
    { what: 'entries stored by each', value: String(peer.entries) },
    ...comparison(all, 'cold', ({ cold }) => [cold]),
    ...comparison(all, 'steady', ({ steady }) => steady),
    ...all.map(({ name, peakMb }, at) => ({
      what: `memory, peak of the cold round: ${name}`,
      value: `${peakMb.toFixed(0)} MB`,
      ...(at > 0 && { target: `at most ${TARGETS.peakMb} MB`, met: peakMb <= TARGETS.peakMb }),
    })),
    ...all.map(({ name, laterMb }) => ({
      what: `memory, after the steady rounds: ${name}`,
      value: `${laterMb.toFixed(0)} MB`,
    })),
    ...all.map(({ name, page }) => ({
      what: `${PAGE_SIZE} unread entries: ${name}`,
      value: `${inParts(page.cost)}, answered in ${page.ms.toFixed(1)} ms, ${page.bytes} bytes`,
    })),
  ];
}

/** Each reader's CPU per feed, and how many times less that is than Miniflux's. */
function comparison(all: Result[], phase: 'cold' | 'steady', roundsOf: (result: Result) => Round[]): Measurement[] {
  const [peer = 0] = all.map((result) => median(roundsOf(result).map(({ cost }) => total(cost))));
  return all.flatMap((result, at) => {
    const rounds = roundsOf(result).toSorted((a, b) => total(a.cost) - total(b.cost));
    const middle = rounds[Math.floor(rounds.length / 2)];
    if (!middle) return [];
    const ratio = peer / total(middle.cost);
    const target = TARGETS[phase];
    return [
      { what: `${phase}, CPU of a feed: ${result.name}`, value: inParts(middle.cost) },
      { what: '  rate', value: `${median(rounds.map(({ rate }) => rate)).toFixed(0)} feeds/s` },
      ...(at > 0
        ? [{ what: '  times less CPU', value: ratio.toFixed(1), target: `at least ${target}`, met: ratio >= target }]
        : []),
    ];
  });
}

const total = ({ cpu }: Usage) => Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0);

const inMs = (seconds: number) => (seconds * 1_000).toFixed(2);

function inParts(cost: Usage): string {
  const parts = Object.entries(cost.cpu).map(([part, seconds]) => `${part} ${inMs(seconds)}`);
  return `${inMs(total(cost))} ms (${parts.join(', ')})`;
}
