import { setImmediate } from 'node:timers/promises';
import type { CorpusFile } from './corpus-files.js';
import { partsOf, tagOf, versionsOf } from './feed-versions.js';
import { isFeed, readTwice, type Way } from './same-as-whole.js';

interface Reading {
  /** How often each way of reading was used. */
  ways: Record<Way, number>;
  /** Results that differ from reading the whole. */
  wrong: string[];
}

/** Reads the files of the corpus as they are, then as they might be at the next fetch, with some items of other files. */
export async function readCorpusTwice(files: CorpusFile[], { strangers }: { strangers: number }): Promise<Reading> {
  const ways: Reading['ways'] = { 'nothing new': 0, 'in part': 0, whole: 0 };
  const wrong: string[] = [];
  const others = itemsByTag(files);
  for (const [at, { file, document }] of files.entries()) {
    // Reports progress to the test runner.
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

/** The choices differ between files and are the same in each run. */
function some(items: string[], count: number, seed: number): string[] {
  return Array.from({ length: count }, (_, at) => items[((seed + 1) * 7_919 + at * 104_729) % items.length] ?? '');
}
