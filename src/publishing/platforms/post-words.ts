import type { Content } from '../platform.js';

/** Some platforms have no separate place for a link. */
export function wordsWithLink({ text, link }: Content): string {
  return link === undefined || text.includes(link) ? text : [text.trimEnd(), link].filter(Boolean).join('\n\n');
}

/** Platforms trim texts and change line ends and composed characters, so these are normalised. */
export function sameWords(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

const plain = (text: string) => text.normalize('NFC').replace(/\s+/gu, ' ').trim();

export const charactersOf = (text: string): number => [...text].length;
