import { innerBase, webAddress } from '../addresses.js';
import { attribute, localName, withAttribute } from './names.js';
import { OpenElements } from './open-elements.js';
import { type Piece, piecesOf } from './pieces.js';

const ITEMS = new Set(['item', 'entry']);
/** Texts of RSS, whose own base the feed parser does not tell: it becomes the item's, where little else is relative. */
const TEXTS = new Set(['description', 'encoded']);
const ADDRESS_ATTRIBUTES = ['href', 'url', 'src'] as const;

interface Surroundings {
  base: string;
  /** Inside of an item: where its tag lies among the pieces. */
  itemAt?: number | undefined;
}

/**
 * The feed parser tells the `xml:base` of a feed, an entry and an Atom text only. Where a document has any, every item gets
 * the base that holds in it, and every address in a tag or a link is made absolute.
 */
export function pushDownBases(text: string, documentBase: string): string {
  if (!text.includes('xml:base')) return text;
  const pieces: string[] = [];
  const open = new OpenElements<Surroundings>();
  for (const piece of piecesOf(text)) {
    const around = open.innermost ?? { name: '', value: { base: documentBase } };
    const raw = text.slice(piece.start, piece.end);
    if (piece.kind === 'open' || piece.kind === 'empty') {
      const inside = surroundings(piece, raw, { pieces, around: around.value });
      pieces.push(rewritten(piece, raw, inside.base));
      if (piece.kind === 'open') open.open(localName(piece.name), inside);
    } else {
      pieces.push(around.name === 'link' && piece.kind === 'text' ? linkText(raw, around.value.base) : raw);
      if (piece.kind === 'close') open.close(localName(piece.name));
    }
  }
  return pieces.join('');
}

function surroundings(
  { name }: Piece,
  raw: string,
  { pieces, around }: { pieces: string[]; around: Surroundings },
): Surroundings {
  const local = localName(name);
  const base = innerBase(around.base, attribute(raw, 'xml:base')?.replaceAll('&amp;', '&'));
  if (ITEMS.has(local)) return { base, itemAt: pieces.length };
  const { itemAt } = around;
  if (TEXTS.has(local) && base !== around.base && itemAt !== undefined) {
    pieces[itemAt] = withAttribute(pieces[itemAt] ?? '', 'xml:base', base);
  }
  return { base, itemAt };
}

function rewritten({ name }: Piece, raw: string, base: string): string {
  if (ITEMS.has(localName(name))) return withAttribute(raw, 'xml:base', base);
  const addressed = ADDRESS_ATTRIBUTES.find((candidate) => attribute(raw, candidate) !== undefined);
  const address = addressed && webAddress(attribute(raw, addressed)?.replaceAll('&amp;', '&'), base);
  return address ? withAttribute(raw, addressed, address) : raw;
}

/** RSS writes a link's address between its tags. */
function linkText(raw: string, base: string): string {
  if (!raw.trim()) return raw;
  return webAddress(raw.replaceAll('&amp;', '&'), base)?.replaceAll('&', '&amp;') ?? raw;
}
