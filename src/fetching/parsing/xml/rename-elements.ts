import { attribute, localName } from './names.js';
import { OpenElements } from './open-elements.js';
import { type Piece, piecesOf } from './pieces.js';

/** Older names of what became `content:encoded`: the XHTML body of an item, and Radio's full item. They may have a prefix. */
const BODIES = new Set(['body', 'fullitem']);
/** Elements of Atom that some write into items of RSS without a prefix. */
const OF_ATOM = new Set(['id', 'published', 'updated', 'issued', 'modified', 'created', 'summary', 'content']);
/** Elements of RSS 2.0 that some write into items of RSS 1.0. */
const OF_RSS_2: Record<string, string> = { pubdate: 'dc:date', author: 'dc:creator', guid: 'dc:identifier' };

const MAY_HAVE_ANY =
  /<(?:(?:[\w.-]+:)?(?:body|fullitem)|id|published|updated|issued|modified|created|summary|content|link\s[^<>]*href\s*=[^<>]*)[\s/>]/i;
const IS_RDF = /<(?:[\w.-]{1,99}:)?rdf[\s>]/i;
const MAY_HAVE_RSS_2 = /<(?:pubDate|author|guid)[\s>]/i;

/** Gives elements of RSS items the names by which the feed parser knows them. */
export function renameElements(text: string): string {
  const isRdf = MAY_HAVE_RSS_2.test(text) && IS_RDF.test(text.slice(0, 10_000));
  if (!isRdf && !MAY_HAVE_ANY.test(text)) return text;
  const renamed: string[] = [];
  const open = new OpenElements<{ newName?: string | undefined }>();
  for (const piece of piecesOf(text)) {
    const raw = text.slice(piece.start, piece.end);
    const local = localName(piece.name);
    if (piece.kind === 'close') {
      const newName = open.close(local).at(-1)?.value.newName;
      renamed.push(newName ? `</${newName}>` : raw);
      continue;
    }
    const newName = open.innermost?.name === 'item' ? newNameOf(piece, raw, isRdf) : undefined;
    if (piece.kind === 'open') open.open(local, { newName });
    // A body's own attributes would hide its text from the feed parser.
    const rest = newName === 'content:encoded' ? /\/?>$/.exec(raw)?.[0] : raw.slice(1 + piece.name.length);
    renamed.push(newName ? `<${newName}${rest}` : raw);
  }
  return renamed.join('');
}

function newNameOf({ kind, name }: Piece, raw: string, isRdf: boolean): string | undefined {
  if (kind !== 'open' && kind !== 'empty') return undefined;
  if (BODIES.has(localName(name))) return 'content:encoded';
  const key = name.toLowerCase();
  if (isRdf && Object.hasOwn(OF_RSS_2, key)) return OF_RSS_2[key];
  if (key === 'link') return attribute(raw, 'href') === undefined ? undefined : 'atom:link';
  return OF_ATOM.has(key) ? `atom:${key}` : undefined;
}
