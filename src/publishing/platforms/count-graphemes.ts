const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Texts are segmented in pieces, because the time of a segmenter grows with the square of the length. */
const PIECE = 1_000;

/** Counts characters as people see them: a family emoji is one. */
export function countGraphemes(text: string): number {
  let count = 0;
  let start = 0;
  let size = PIECE;
  for (;;) {
    const end = afterCharacter(text, start + size);
    const indices = [...segmenter.segment(text.slice(start, end))].map(({ index }) => index);
    if (end >= text.length) return count + indices.length;
    // The last character may continue after the piece, so the next piece begins with it.
    const last = indices.at(-1) ?? 0;
    size = last === 0 ? size * 2 : PIECE;
    count += indices.length - 1;
    start += last;
  }
}

function afterCharacter(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end + 1 : end;
}
