const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Characters that take two columns in a terminal: East Asian scripts and most emoji. */
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;
const ASCII = /^[ -~]*$/;

/** A terminal acts on control characters; format characters can reverse the rest of a line invisibly. */
const CONTROL = /\p{Cc}+/gu;
const FORMAT = /\p{Cf}/gu;

/** Makes text from elsewhere safe to print, on one line. */
export const printable = (text: string) =>
  text.replaceAll(CONTROL, ' ').replaceAll(FORMAT, '').replaceAll(/\s+/g, ' ').trim();

export const printableLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replaceAll(CONTROL, ' ').replaceAll(FORMAT, '').trimEnd())
    .join('\n');

/** The number of columns that the text takes in a terminal. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  return [...graphemes.segment(text)].reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0);
}

/** Cuts text to the given number of columns, with an ellipsis at its end. */
export function truncate(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
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

const CODES = { red: 31, green: 32, yellow: 33, grey: 90, bold: 1 } as const;
export type Colour = keyof typeof CODES;

export function coloured(text: string, colour: Colour | undefined, colours: boolean): string {
  return colours && colour ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
}

const STATE_COLOURS: Record<string, Colour> = {
  active: 'green',
  completed: 'green',
  published: 'green',
  healthy: 'green',
  up: 'green',
  done: 'green',
  ok: 'green',
  failing: 'red',
  failed: 'red',
  critical: 'red',
  broken: 'red',
  down: 'red',
  open: 'red',
  warning: 'yellow',
  partial: 'yellow',
  retried: 'yellow',
  unknown: 'yellow',
  expired: 'yellow',
  waiting: 'yellow',
  paused: 'grey',
  gone: 'grey',
  cancelled: 'grey',
  discarded: 'grey',
  replayed: 'grey',
};

export const colourOf = (state: string): Colour | undefined => STATE_COLOURS[state];
