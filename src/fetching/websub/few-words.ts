const LONGEST = 200;

/** What a hub says about why, on one line and short enough to be shown. */
export function fewWords(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
    .toWellFormed();
}
