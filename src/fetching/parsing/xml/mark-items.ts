import { localName, withAttribute } from './names.js';
import { OpenElements } from './open-elements.js';
import { type Piece, piecesOf } from './pieces.js';

const ITEMS = new Set(['item', 'entry']);
const ITEM_START = /<(?:[\w.-]{1,99}:)?(?:item|entry)[\s/>]/gi;
const ITEM_END = /<\/(?:[\w.-]{1,99}:)?(?:item|entry)\s*>/gi;

interface MarkedXml {
  text: string;
  rawItems: string[];
  /** True if every element is closed properly. Otherwise items may be nested in others. */
  isBalanced: boolean;
}

/** The feed parser passes `xml:id` on, so raw items can be found, and it keeps marked items even if they are empty. */
export function markItems(text: string, most: number): MarkedXml {
  const marked: string[] = [];
  const rawItems: string[] = [];
  const walk = new ItemWalk(text);
  let done = 0;
  for (const { tag, end } of walk.items()) {
    if (rawItems.length >= most) break;
    const written = withAttribute(text.slice(tag.start, tag.end), 'xml:id', String(rawItems.length));
    marked.push(text.slice(done, tag.start), written);
    done = tag.end;
    rawItems.push(text.slice(tag.end, end));
  }
  return { text: marked.join('') + text.slice(done), rawItems, isBalanced: walk.isBalanced };
}

/** Items mentioned in texts count, too. This is much faster than marking them. */
export function countItems(text: string): number {
  return text.match(ITEM_START)?.length ?? 0;
}

export function hasLostStarts(text: string, starts: number): boolean {
  return (text.match(ITEM_END)?.length ?? 0) > starts;
}

interface FoundItem {
  tag: Piece;
  end: number;
}

class ItemWalk {
  isBalanced = true;
  private readonly open = new OpenElements<Piece | undefined>();

  constructor(private readonly text: string) {}

  *items(): Generator<FoundItem> {
    let item: Piece | undefined;
    for (const piece of piecesOf(this.text)) {
      this.isBalanced &&= !this.hidesItems(piece);
      const name = piece.name.toLowerCase();
      const begins = item === undefined && ITEMS.has(localName(name));
      if (piece.kind === 'empty' && begins) yield { tag: piece, end: piece.end };
      else if (piece.kind === 'open') {
        if (begins && this.open.open(name, piece)) item = piece;
        else this.open.open(name, undefined);
      } else if (piece.kind === 'close' && this.close(name) && item) {
        yield { tag: item, end: piece.start };
        item = undefined;
      }
    }
    if (item) yield { tag: item, end: this.text.length };
    this.isBalanced &&= this.open.depth === 0;
  }

  /** A section that contains another section start and an item has lost its end. */
  private hidesItems({ kind, start, end }: Piece): boolean {
    if (kind !== 'cdata' && kind !== 'other') return false;
    const opens = kind === 'cdata' ? '<![CDATA[' : '<!--';
    const inside = this.text.slice(start + opens.length, end);
    return inside.includes(opens) && countItems(inside) > 0;
  }

  private close(name: string): boolean {
    const closed = this.open.close(name);
    this.isBalanced &&= closed.length === 1;
    return closed.some(({ value }) => value !== undefined);
  }
}
