import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { parseWebAddress } from '../../platform/http/web-address.js';

/** Only the beginning of a page is read: its head has the links to icons. */
const MAX_CHARACTERS = 300_000;
/** Elements whose content is text, not markup. */
const TEXT_ELEMENTS: ReadonlySet<string> = new Set(['style', 'noscript', 'template', 'title', 'textarea']);
/** The size in pixels that icons are shown at, on dense screens. */
const SHOWN_SIDE = 32;
const LARGE_SIDE = 256;

interface IconLink {
  url: string;
  rank: number;
}

/** Web addresses and data URLs of the page's icons, the best first. */
export function iconLinks(html: string, pageUrl: string): string[] {
  const { links, baseHref } = readHead(html.slice(0, MAX_CHARACTERS));
  const base = parseWebAddress(baseHref ?? '', new URL(pageUrl))?.url ?? new URL(pageUrl);
  const ranked = links.flatMap((link) => toIconLink(link, base)).toSorted((a, b) => a.rank - b.rank);
  return [...new Set(ranked.map(({ url }) => url))];
}

type Attributes = Map<string, string>;

interface Head {
  links: Attributes[];
  baseHref: string | undefined;
}

const ignore = () => undefined;

/** Reads tokens only, which takes linear time, where building a tree may not. */
function readHead(html: string): Head {
  const head: Head = { links: [], baseHref: undefined };
  let isOver = false;
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag({ tagName, attrs }: Token.TagToken) {
        if (isOver) return;
        if (tagName === 'body') isOver = true;
        const attributes: Attributes = new Map(attrs.map(({ name, value }) => [name, value.trim()]));
        if (tagName === 'link') head.links.push(attributes);
        if (tagName === 'base') head.baseHref ??= attributes.get('href');
        if (tagName === 'script') tokenizer.state = TokenizerMode.SCRIPT_DATA;
        else if (TEXT_ELEMENTS.has(tagName)) tokenizer.state = TokenizerMode.RAWTEXT;
        else return;
        tokenizer.lastStartTagName = tagName;
      },
      onEndTag: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
    },
  );
  tokenizer.write(html, true);
  return head;
}

function toIconLink(attributes: Attributes, base: URL): IconLink[] {
  const kinds = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
  const isTouchIcon = kinds.some((kind) => /^apple-touch-icon(-precomposed)?$/.test(kind));
  const href = attributes.get('href');
  if (!href || !(isTouchIcon || kinds.includes('icon'))) return [];
  const url = /^data:/i.test(href) ? href : parseWebAddress(href, base)?.url.href;
  if (!url) return [];
  const isSvg = /svg/i.test(attributes.get('type') ?? '') || /^data:image\/svg|\.svg(?:[?#]|$)/i.test(url);
  return [{ url, rank: rankOf({ isSvg, isTouchIcon, side: sideOf(attributes.get('sizes')) }) }];
}

interface IconKind {
  isSvg: boolean;
  isTouchIcon: boolean;
  side: number | undefined;
}

/** The smallest image that is large enough comes first. Many programs cannot show SVG. */
function rankOf({ isSvg, isTouchIcon, side }: IconKind): number {
  if (isSvg) return 3_000;
  if (isTouchIcon) return 2_000;
  if (side === undefined) return 1_000;
  if (side < SHOWN_SIDE) return 2_500 - side;
  return side <= LARGE_SIDE ? side : 3_500 + side;
}

/** The smallest of the stated sizes that is large enough, else the largest. */
function sideOf(sizes = ''): number | undefined {
  const sides = [...sizes.matchAll(/(\d{1,5})x\d{1,5}/gi)].map(([, side]) => Number(side)).toSorted((a, b) => a - b);
  return sides.find((side) => side >= SHOWN_SIDE) ?? sides.at(-1);
}
