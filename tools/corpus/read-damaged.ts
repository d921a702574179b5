import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedDocument } from '../../src/fetching/fetcher.js';
import { countItems } from '../../src/fetching/parsing/xml/mark-items.js';
import { ThreadPool } from '../../src/platform/threads/thread-pool.js';
import type { CorpusDocument } from './corpus-documents.js';
import { NO_ADDRESS } from './corpus-result.js';
import { DAMAGES, seededRandom } from './damage.js';
import type { DamagedReading, PostKeys } from './damaged.thread.js';

const THREADS = 2;
/** Milliseconds of CPU above which a document is slow. Reading is stopped after three times as many. */
export const SLOW_MS = 2_000;
const LIMITS = { timeoutMs: 3 * SLOW_MS, memoryMb: 512 };

interface DamagedCorpus {
  folder: string;
  documents: CorpusDocument[];
  seed: number;
  /** How many feeds are damaged: those with the most posts. */
  feeds: number;
}

/** The results for one kind of damage. */
interface DamageSummary {
  documents: number;
  posts: number;
  kept: number;
  refused: number;
  /** Documents with items that were read without posts and without an error. */
  empty: number;
  slow: number;
}

export interface DamagedRun {
  feeds: number;
  byKind: Map<string, DamageSummary>;
  slowestMs: number;
  crashed: string[];
}

interface ReferenceFeed {
  file: string;
  document: FeedDocument;
  posts: PostKeys[];
}

type Threads = ThreadPool<FeedDocument, DamagedReading>;

/** Damages feeds in every way and counts how many of their posts are still read. The same seed does the same damage. */
export async function readDamaged({ folder, documents, seed, feeds }: DamagedCorpus): Promise<DamagedRun> {
  const module = new URL('./damaged.thread.js', import.meta.url);
  const threads: Threads = new ThreadPool({ module, size: THREADS, ...LIMITS });
  try {
    const all = await inTurn(documents, (document) => referenceFeed(folder, document, threads));
    const chosen = all
      .filter(({ posts }) => posts.length > 0)
      .sort((a, b) => b.posts.length - a.posts.length || (a.file < b.file ? -1 : 1))
      .slice(0, feeds);
    const run: DamagedRun = { feeds: chosen.length, byKind: noneYet(), slowestMs: 0, crashed: [] };
    const trials = chosen.flatMap((feed, place) => Object.keys(DAMAGES).map((kind, at) => ({ feed, kind, place, at })));
    await inTurn(trials, async ({ feed, kind, place, at }) => {
      const random = seededRandom(seed + place * 1_000 + at);
      const body = DAMAGES[kind]?.(Buffer.from(feed.document.body), random) ?? Buffer.alloc(0);
      try {
        const reading = await read({ ...feed.document, body }, threads);
        record(run, { kind, feed, reading, hasItems: countItems(body.toString()) > 0 });
      } catch (error) {
        run.crashed.push(`${feed.file}, ${kind}: ${error}`);
      }
    });
    return run;
  } finally {
    await threads.close();
  }
}

/** Runs one action for each thread at a time, so that few documents are in memory. */
async function inTurn<Input, Output>(inputs: Input[], act: (input: Input) => Promise<Output>): Promise<Output[]> {
  const outputs: Output[] = [];
  const waiting = inputs.entries();
  const runNext = async () => {
    for (const [at, input] of waiting) outputs[at] = await act(input);
  };
  await Promise.all(Array.from({ length: THREADS }, runNext));
  return outputs;
}

async function referenceFeed(folder: string, listed: CorpusDocument, threads: Threads): Promise<ReferenceFeed> {
  const { file, url = NO_ADDRESS, contentType, contentLocation } = listed;
  const document = { body: await readFile(join(folder, file)), url, contentType, contentLocation };
  const { posts = [] } = await read(document, threads);
  return { file, document, posts };
}

function read(document: FeedDocument, threads: Threads): Promise<DamagedReading> {
  return threads.run({ ...document, body: new Uint8Array(document.body) });
}

function noneYet(): DamagedRun['byKind'] {
  const none = { documents: 0, posts: 0, kept: 0, refused: 0, empty: 0, slow: 0 };
  return new Map(Object.keys(DAMAGES).map((kind) => [kind, { ...none }]));
}

interface Trial {
  kind: string;
  feed: ReferenceFeed;
  reading: DamagedReading;
  hasItems: boolean;
}

function record(run: DamagedRun, { kind, feed, reading: { posts, cpuMs }, hasItems }: Trial): void {
  const summary = run.byKind.get(kind);
  if (!summary) return;
  summary.documents += 1;
  summary.posts += feed.posts.length;
  summary.kept += keptPosts(feed.posts, posts ?? []);
  if (!posts) summary.refused += 1;
  else if (posts.length === 0 && hasItems) summary.empty += 1;
  if (cpuMs > SLOW_MS) summary.slow += 1;
  run.slowestMs = Math.max(run.slowestMs, cpuMs);
}

/** Counts the posts that are found again by id, link or title. Each post that was read counts for one only. */
function keptPosts(before: PostKeys[], after: PostKeys[]): number {
  const places = new Map<string, number[]>();
  for (const [place, keys] of after.entries()) {
    for (const [at, key] of keys.entries())
      if (key) places.set(`${at} ${key}`, [...(places.get(`${at} ${key}`) ?? []), place]);
  }
  const taken = new Set<number>();
  for (const keys of before) {
    const candidates = keys.flatMap((key, at) => (key ? (places.get(`${at} ${key}`) ?? []) : []));
    const place = candidates.find((candidate) => !taken.has(candidate));
    if (place !== undefined) taken.add(place);
  }
  return taken.size;
}
