import { describe, expect, it } from 'vitest';
import { corpusFiles, hasCorpus } from '../fetching/corpus-files.js';
import { readCorpusTwice } from '../fetching/read-corpus-twice.js';
import { readDamagedTwice } from '../fetching/read-damaged-twice.js';

describe.skipIf(!hasCorpus)('every feed of the corpus', () => {
  it('comes out as if all of it was read, among items of others too', async () => {
    const { ways, wrong } = await readCorpusTwice(await corpusFiles(), { strangers: 2 });
    expect(wrong).toEqual([]);
    expect(ways['in part']).toBeGreaterThan(5_000);
    expect(ways['nothing new']).toBeGreaterThan(1_000);
  });

  it('comes out so with an item damaged in every way, too', async () => {
    expect(await readDamagedTwice(await corpusFiles(), { seed: 1, kinds: 20 })).toEqual([]);
  });
});
