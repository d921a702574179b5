import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type FeedDocument, FetchFailure, type ParsedFeed } from '../../src/fetching/fetcher.js';
import { parseFeed } from '../../src/fetching/parsing/parse-feed.js';
import { readNewItems } from '../../src/fetching/parsing/split/read-new-items.js';
import { DAMAGES, seededRandom } from '../../tools/corpus/damage.js';
import type { CorpusFile } from './corpus-files.js';
import { partsOf, withParts } from './feed-versions.js';

interface Trials {
  seed: number;
  /** Number of different damages for each file. */
  kinds: number;
}

/**
 * Reads each file, then the same with one of its items damaged, and then as it was: what is stored must be what reading the
 * whole comes to, or an error where that is one. Returns what is not.
 */
export async function readDamagedTwice(files: CorpusFile[], { seed, kinds }: Trials): Promise<string[]> {
  const wrong: string[] = [];
  const names = Object.keys(DAMAGES);
  for (const [place, { file, document }] of files.entries()) {
    // Reports progress to the test runner.
    await setImmediate();
    for (let at = 0; at < kinds; at++) {
      const kind = names[(place + at) % names.length] ?? '';
      const damaged = damagedItem(document, kind, seed + place * 1_000 + at);
      for (const [before, after] of damaged ? [[document, damaged] as const, [damaged, document] as const] : []) {
        const difference = await differenceOf(before, after);
        if (difference) wrong.push(`${file}, ${kind}: ${difference}`);
      }
    }
  }
  return wrong;
}

function damagedItem(document: FeedDocument, kind: string, seed: number): FeedDocument | undefined {
  const parts = partsOf(document);
  const random = seededRandom(seed);
  const place = Math.floor(random() * (parts?.items.length ?? 0));
  const damaged = DAMAGES[kind]?.(Buffer.from(parts?.items[place] ?? '', 'latin1'), random).toString('latin1');
  return parts && damaged ? withParts(document, { ...parts, items: parts.items.with(place, damaged) }) : undefined;
}

async function differenceOf(before: FeedDocument, after: FeedDocument): Promise<string | undefined> {
  const whole = await orError(() => parse(after));
  const first = await orError(() => readNewItems(before, { parse }));
  const digests = async () => (first && 'feed' in first ? (first.digests ?? null) : null);
  const second = await orError(() => readNewItems(after, { parse, digests }));
  if (whole && 'error' in whole)
    return isDeepStrictEqual(second, whole) ? undefined : 'the whole is refused, and is not';
  if (second && 'error' in second) return `the whole is read, and is refused: ${second.error}`;
  const known = first && 'feed' in first ? first.feed.posts : [];
  const byId = new Map([...known, ...(second?.feed.posts ?? [])].map((post) => [post.externalId, post]));
  const missing = whole?.posts.find((post) => {
    const { place: _, ...stored } = byId.get(post.externalId) ?? { place: 0 };
    return !isDeepStrictEqual(stored, post);
  });
  return missing && `the post ${missing.externalId} is missing or another one`;
}

async function parse(document: FeedDocument): Promise<ParsedFeed> {
  return parseFeed({ ...document, judgeItems: true });
}

async function orError<T>(read: () => Promise<T>): Promise<T | { error: string }> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FetchFailure) return { error: error.message };
    throw error;
  }
}
