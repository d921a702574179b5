import { storableText } from '../../platform/queue/storable.js';

const ACCENTS = /[\u0300-\u036f]/g;
/** Letters that do not come apart into a plain one and an accent. */
const PLAIN: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' };
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** Text without case, accents and typographic variants. Marks that are part of a letter in other scripts stay. */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);
}

/** One line of text that can be stored, at most so many characters long; undefined if nothing is left. */
export function tidyText(text: string | undefined, longest: number): string | undefined {
  if (text === undefined) return undefined;
  // What is far too long is not worked through.
  const start = text.trimStart().slice(0, longest * 4);
  const line = storableText(start)
    .replace(/[\s\p{Cc}\u200b]+/gu, ' ')
    .trim();
  // Cut between two halves of a character, it would not be text any more.
  return (
    line
      .slice(0, longest)
      .replace(/[\ud800-\udbff]$/, '')
      .trimEnd() || undefined
  );
}
