import { localName } from './names.js';
import { OpenElements } from './open-elements.js';
import { type Piece, piecesOf } from './pieces.js';

/** Elements that never hold their own kind: a second one means that the first was not closed. */
const NOT_NESTED = new Set(['item', 'entry']);

/** With the value of each element: its name as it was written. */
type Open = OpenElements<string>;

/**
 * Makes a broken document well formed and keeps what is there: what precedes the first tag and end tags without a beginning
 * are dropped, elements that were not closed are closed where the one around them ends, or where the document does.
 */
export function mendXml(text: string): string {
  const mended: string[] = [];
  const open: Open = new OpenElements();
  for (const piece of piecesOf(text)) mended.push(mend(piece, text, open));
  return mended.join('') + ends(open.closeAll());
}

function mend(piece: Piece, text: string, open: Open): string {
  const raw = text.slice(piece.start, piece.end);
  switch (piece.kind) {
    case 'open':
      return begin(piece.name, raw, open);
    case 'close':
      return ends(open.close(piece.name.toLowerCase()));
    case 'text':
      return open.depth > 0 && !isCutTag(piece, text) ? raw.replace(/^</, '&lt;') : '';
    case 'cdata':
      return open.depth > 0 ? closedCdata(raw) : '';
    case 'empty':
      return raw;
    case 'other':
      return '';
  }
}

function begin(name: string, raw: string, open: Open): string {
  const key = name.toLowerCase();
  const closed = NOT_NESTED.has(localName(name)) ? ends(open.close(key)) : '';
  return open.open(key, name) ? closed + raw : closed;
}

/** Where a document was cut off, the beginning of a tag may be left. */
function isCutTag({ start, end }: Piece, text: string): boolean {
  return end === text.length && /^<(?:$|[\w/!?])/.test(text.slice(start, start + 2));
}

function ends(elements: { value: string }[]): string {
  return elements.map(({ value }) => `</${value}>`).join('');
}

function closedCdata(raw: string): string {
  return raw.endsWith(']]>') ? raw : `${raw}]]>`;
}
