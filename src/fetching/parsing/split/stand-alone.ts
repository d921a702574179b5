import type { SplitFeed } from './split-feed.js';

const MAX_DEPTH = 60;

const NAME = '[A-Za-z_\\x80-\\xff][\\w:.\\x80-\\xff-]*';

const SPACE = '[ \\t\\r\\n]';

const ATTRIBUTE = `${SPACE}+${NAME}${SPACE}*=${SPACE}*(?:"[^"<]*"|'[^'<]*')`;

const MARKUP = new RegExp(
  `<(?:(${NAME})(?:${ATTRIBUTE})*${SPACE}*(/?)>|/(${NAME})${SPACE}*>|!\\[CDATA\\[[^]*?\\]\\]>|!--[^]*?-->|\\?[^<>]*\\?>)`,
  'y',
);

/** Neither XML nor PostgreSQL can store these, and removing them may create a tag. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\xef\xbf[\xbe\xbf]/;

/** Elements that other code searches for in the whole document, even inside texts. */
const SPEAKS_OF_ALL = /<\/?(?:[\w.-]{1,99}:)?(?:item|entry|items|channel|rss|rdf|feed|meta|skiphours|skipdays)[\s/>]/i;

/** A declaration in an unusual form never matches the head, so its document is not split. */
const DECLARATION = /xmlns:(?:[\w.-]{1,99}\s{0,9}=\s{0,9}(?:"[^"]{0,300}"|'[^']{0,300}'))?/gi;

/** The path of items, in lower case and without prefixes. */
const PARENTS = new Set(['rss channel item', 'rdf item', 'feed entry']);

/** An item that stands alone has the same meaning in a document without some of the others. */
export function standAlone({ text, items }: SplitFeed): boolean {
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) return false;
  const head = text.slice(0, first.start);
  const parents = enclosing(head, text.slice(last.end));
  const tag = /^<[^\s>]+/.exec(text.slice(first.start, first.start + 300))?.[0].slice(1) ?? '';
  if (!parents || !PARENTS.has([...parents, tag].map(localName).join(' '))) return false;
  return items.every(({ start, end }) => standsAlone(text.slice(start, end), tag, head));
}

function enclosing(head: string, tail: string): string[] | undefined {
  if ([head, tail].some((part) => CONTROLS.test(part) || /<meta[\s/>]/i.test(part))) return undefined;
  const open = openAfter(head);
  return open && openAfter(tail, open)?.length === 0 ? open : undefined;
}

function standsAlone(item: string, tag: string, head: string): boolean {
  const inside = item.slice(1 + tag.length, -`</${tag}>`.length);
  if (CONTROLS.test(item) || SPEAKS_OF_ALL.test(inside) || item.includes('<?')) return false;
  if (/xml:base/i.test(item) && !/xml:base/.test(head)) return false;
  return declaresNothing(item, head) && openAfter(item)?.length === 0;
}

/** A prefix that an item declares would also apply to later items, unless the head declares the same. */
function declaresNothing(item: string, head: string): boolean {
  return [...item.matchAll(DECLARATION)].every(
    ([declaration]) => declaration.includes('=') && head.includes(declaration),
  );
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

/** Undefined: the part is not well-formed or contains rare markup. */
function openAfter(part: string, openBefore: readonly string[] = []): string[] | undefined {
  const open = [...openBefore];
  for (let at = 0; ; ) {
    const next = part.indexOf('<', at);
    if (!open.length && !isBlank(part.slice(at, next < 0 ? undefined : next), at)) return undefined;
    if (next < 0) return open;
    MARKUP.lastIndex = next;
    const [found, opens, empty, closes] = MARKUP.exec(part) ?? [];
    if (!found || (!open.length && found.startsWith('<!['))) return undefined;
    if (opens && !empty) open.push(opens);
    if (open.length > MAX_DEPTH || (closes && open.pop() !== closes)) return undefined;
    at = MARKUP.lastIndex;
  }
}

/** The text may begin with a byte order mark. */
function isBlank(text: string, at: number): boolean {
  return /^[ \t\r\n]*$/.test(at === 0 ? text.replace(/^\xef\xbb\xbf/, '') : text);
}
