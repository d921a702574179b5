import { localName, withAttribute } from './names.js';
import { OpenElements } from './open-elements.js';
import { type Piece, piecesOf } from './pieces.js';

const ITEMS = new Set(['item', 'entry']);
const ITEM_START = /<(?:[\w.-]{1,99}:)?(?:item|entry)[\s/>]/gi;

export interface MarkedXml {
  text: string;
  /** What is written in each item, by its mark. */
  rawItems: string[];
}

/**
 * Numbers a document's items, from 0, in `xml:id`. The feed parser hands that on, so that what is written in an item can be
 * found; and it does not drop an item that has it, as it does those with nothing in them.
 */
export function markItems(text: string, most: number): MarkedXml {
  const marked: string[] = [];
  const rawItems: string[] = [];
  let done = 0;
  for (const { tag, end } of outermostItems(text)) {
    if (rawItems.length >= most) break;
    const written = withAttribute(text.slice(tag.start, tag.end), 'xml:id', String(rawItems.length));
    marked.push(text.slice(done, tag.start), written);
    done = tag.end;
    rawItems.push(text.slice(tag.end, end));
  }
  return { text: marked.join('') + text.slice(done), rawItems };
}

/** How many items there are; too many where texts speak of items. Far quicker than marking them. */
export function countItems(text: string): number {
  return text.match(ITEM_START)?.length ?? 0;
}

interface FoundItem {
  tag: Piece;
  /** Where its end tag begins. */
  end: number;
}

/** Lists in an item may have items, too; those are no items of the feed. */
function* outermostItems(text: string): Generator<FoundItem> {
  const open = new OpenElements<Piece | undefined>();
  let item: Piece | undefined;
  for (const piece of piecesOf(text)) {
    const name = piece.name.toLowerCase();
    const begins = item === undefined && ITEMS.has(localName(name));
    if (piece.kind === 'empty' && begins) yield { tag: piece, end: piece.end };
    else if (piece.kind === 'open') {
      if (begins && open.open(name, piece)) item = piece;
      else open.open(name, undefined);
    } else if (piece.kind === 'close' && open.close(name).some(({ value }) => value !== undefined) && item) {
      yield { tag: item, end: piece.start };
      item = undefined;
    }
  }
  if (item) yield { tag: item, end: text.length };
}
