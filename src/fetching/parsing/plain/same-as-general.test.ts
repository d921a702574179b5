import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { corpusFiles, hasCorpus } from '../../../../test/fetching/corpus-files.js';
import { mutatedFeed } from '../../../../test/fetching/mutated-feeds.js';
import { DAMAGES, seededRandom } from '../../../../tools/corpus/damage.js';
import type { FeedDocument } from '../../fetcher.js';
import { feedOf, textOf } from '../feed-of.js';
import { readAnyChannel } from '../read-channel.js';
import { readPlainChannel } from './read-plain-channel.js';

const TIMEOUT_MS = 300_000;
const MUTATIONS = 5_000;

/** Reads a document both ways. Undefined: it is not plain. */
function difference(document: FeedDocument): 'same' | string | undefined {
  const text = textOf(document);
  const plain = readPlainChannel(text);
  if (!plain) return undefined;
  try {
    const any = readAnyChannel(text);
    expect(plain.channel).toEqual(any.channel);
    expect(any.isWhole).toBe(true);
    expect(outcome(() => feedOf(plain, document))).toEqual(outcome(() => feedOf(any, document)));
    return 'same';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function outcome<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
}

async function readBothWays(documents: Iterable<{ name: string; document: FeedDocument }>) {
  const wrong: string[] = [];
  let plain = 0;
  for (const { name, document } of documents) {
    // Lets the test runner hear that it goes on.
    await setImmediate();
    const found = difference(document);
    if (found !== undefined) plain += 1;
    if (found !== undefined && found !== 'same') wrong.push(`${name}: ${found}`);
  }
  return { plain, wrong };
}

describe.skipIf(!hasCorpus)('every plain feed of the corpus', () => {
  it('is the same as the general reader reads it', { timeout: TIMEOUT_MS }, async () => {
    const documents = (await corpusFiles()).map(({ file, document }) => ({ name: file, document }));
    const { plain, wrong } = await readBothWays(documents);
    expect(wrong).toEqual([]);
    expect(plain).toBeGreaterThan(600);
  });

  it('is so with damage, too', { timeout: TIMEOUT_MS }, async () => {
    const plain = (await corpusFiles()).filter(({ document }) => readPlainChannel(textOf(document)));
    const kinds = Object.entries(DAMAGES);
    const documents = plain.flatMap(({ file, document }, place) =>
      [0, 1, 2].map((at) => {
        const [name = '', damage] = kinds[(place + at) % kinds.length] ?? [];
        const body = damage?.(Buffer.from(document.body), seededRandom(place * 10 + at)) ?? document.body;
        return { name: `${file}, ${name}`, document: { ...document, body } };
      }),
    );
    expect((await readBothWays(documents)).wrong).toEqual([]);
  });
});

describe('feeds put together at random', () => {
  it('are the same as the general reader reads them', { timeout: TIMEOUT_MS }, async () => {
    const documents = Array.from({ length: MUTATIONS }, (_, seed) => {
      const body = Buffer.from(mutatedFeed(seededRandom(seed)));
      return { name: `seed ${seed}`, document: { body, url: 'https://feeds.example/news/feed.xml' } };
    });
    const { plain, wrong } = await readBothWays(documents);
    expect(wrong).toEqual([]);
    expect(plain).toBeGreaterThan(MUTATIONS / 10);
  });
});
