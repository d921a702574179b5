import { storableText } from '../../platform/queue/storable.js';

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
