import { describe, expect, it } from 'vitest';
import { corpusFiles, hasCorpus } from '../../../../test/fetching/corpus-files.js';
import { readCorpusTwice } from '../../../../test/fetching/read-corpus-twice.js';

describe.skipIf(!hasCorpus)('some feeds of the corpus', () => {
  it('come out as if all of them were read, and most are not', async () => {
    const { ways, wrong } = await readCorpusTwice(await corpusFiles(), { every: 40, strangers: 1 });
    expect(wrong).toEqual([]);
    expect(ways['in part']).toBeGreaterThan(100);
    expect(ways['in part'] + ways['nothing new']).toBeGreaterThan(ways.whole);
  });
});
