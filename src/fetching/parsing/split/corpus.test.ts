import { describe, expect, it } from 'vitest';
import { corpusFiles, hasCorpus } from '../../../../test/fetching/corpus-files.js';
import { readCorpusTwice } from '../../../../test/fetching/read-corpus-twice.js';
import { readDamagedTwice } from '../../../../test/fetching/read-damaged-twice.js';

/** The test takes twelve seconds on an idle core. */
const TIMEOUT_MS = 300_000;

describe.skipIf(!hasCorpus)('every feed of the corpus', () => {
  it('comes out as if all of it was read, and most is not', { timeout: TIMEOUT_MS }, async () => {
    const { ways, wrong } = await readCorpusTwice(await corpusFiles(), { strangers: 0 });
    expect(wrong).toEqual([]);
    expect(ways['in part']).toBeGreaterThan(2_500);
    expect(ways['nothing new']).toBeGreaterThan(2_500);
    expect(ways.whole).toBeLessThan(2_500);
  });

  it('comes out so with a damaged item, too', { timeout: TIMEOUT_MS }, async () => {
    const files = (await corpusFiles()).filter((_, place) => place % 8 === 0);
    expect(await readDamagedTwice(files, { seed: 1, kinds: 3 })).toEqual([]);
  });
});
