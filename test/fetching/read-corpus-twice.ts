import { setImmediate } from 'node:timers/promises';
import type { CorpusFile } from './corpus-files.js';
import { partsOf, tagOf, versionsOf } from './feed-versions.js';
import { isFeed, readTwice, type Way } from './same-as-whole.js';

interface Reading {
  /** How often which way was taken. */
  ways: Record<Way, number>;
  /** What did not come out as if all had been read. */
  wrong: string[];
}

/** Reads files of the corpus as they are, then as they might be at the next fetch. Each meets so many items of others. */
export async function readCorpusTwice(files: CorpusFile[], { strangers }: { strangers: number }): Promise<Reading> {
  const ways: Reading['ways'] = { 'nothing new': 0, 'in part': 0, whole: 0 };
  const wrong: string[] = [];
  const others = itemsByTag(files);
  for (const [at, { file, document }] of files.entries()) {
    // Lets the test runner hear that it goes on.
    await setImmediate();
    const tag = tagOf(partsOf(document)?.items[0] ?? '');
    if (!tag || !(await isFeed(document))) continue;
    for (const { what, before, after } of versionsOf(document, some(others.get(tag) ?? [], strangers, at))) {
      try {
        ways[await readTwice(before, after)] += 1;
      } catch (error) {
        wrong.push(`${file}, ${what}: ${error}`);
      }
    }
  }
  return { ways, wrong };
}

function itemsByTag(files: CorpusFile[]): Map<string, string[]> {
  const byTag = new Map<string, string[]>();
  for (const item of files.flatMap(({ document }) => partsOf(document)?.items.slice(0, 3) ?? [])) {
    byTag.set(tagOf(item), [...(byTag.get(tagOf(item)) ?? []), item]);
  }
  return byTag;
}

/** Others for each file, and the same in each run. */
function some(items: string[], count: number, seed: number): string[] {
  return Array.from({ length: count }, (_, at) => items[((seed + 1) * 7_919 + at * 104_729) % items.length] ?? '');
}
