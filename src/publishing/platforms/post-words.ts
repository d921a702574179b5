import type { Content } from '../platform.js';

/** The text, and below it the link where the platform has no other place for it and the text does not name it. */
export function wordsWithLink({ text, link }: Content): string {
  return link === undefined || text.includes(link) ? text : [text.trimEnd(), link].filter(Boolean).join('\n\n');
}

/** Platforms trim texts, and change how line ends and composed letters are written. */
export function sameWords(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

const plain = (text: string) => text.normalize('NFC').replace(/\s+/gu, ' ').trim();

/** In Unicode characters, as platforms count that do not say otherwise. */
export const charactersOf = (text: string): number => [...text].length;
