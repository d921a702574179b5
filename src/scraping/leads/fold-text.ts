import { storableText } from '../../platform/jobs/storable.js';

const ACCENTS = /[\u0300-\u036f]/g;
/** Letters that Unicode does not decompose into a plain letter and an accent. */
const PLAIN: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' };
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** Removes case, accents and typographic variants. Marks that are part of a letter in other scripts stay. */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);
}

/** Returns one line of storable text of at most `maxLength` characters, or undefined if nothing is left. */
export function tidyText(text: string | undefined, maxLength: number): string | undefined {
  if (text === undefined) return undefined;
  // The rest of a very long text is not processed.
  const start = text.trimStart().slice(0, maxLength * 4);
  const line = storableText(start)
    .replace(/[\s\p{Cc}\u200b]+/gu, ' ')
    .trim();
  // A cut inside a surrogate pair would leave invalid text.
  return (
    line
      .slice(0, maxLength)
      .replace(/[\ud800-\udbff]$/, '')
      .trimEnd() || undefined
  );
}
