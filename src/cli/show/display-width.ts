const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Characters that take two columns in a terminal: East Asian scripts and most emoji. */
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;
const PLAIN = /^[ -~]*$/;

/** Columns that a line takes. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return [...letters.segment(text)].reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0);
}

/** As much of it as fits, with an ellipsis where something is left out. */
export function cut(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of letters.segment(text)) {
    width += WIDE.test(segment) ? 2 : 1;
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export function pad(text: string, columns: number, side: 'left' | 'right'): string {
  const gap = ' '.repeat(Math.max(0, columns - displayWidth(text)));
  return side === 'left' ? text + gap : gap + text;
}
