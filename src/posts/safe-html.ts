import { fromParse5 } from 'hast-util-from-parse5';
import { sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import { parseFragment } from 'parse5';
import { plainHtml } from './plain-html.js';
import { SAFE_HTML } from './safe-html-schema.js';
import { paragraphs, textOnly } from './text-only.js';
import { type Element, type Root, tidy } from './tidy-html.js';

/** Elements whose tags, left open, take in all that follows as text of theirs. */
const SELF_CLOSED = /<(script|style|textarea|title|noembed|noframes|xmp)(?=[\s/])([^<>]*)\/>/gi;

/** XHTML may name the elements of a drawing by their namespace. */
const SVG_PREFIX = /(<\/?)svg:(?=[a-z])/gi;

const QUOTED = /"[^"]*"|'[^']*'/g;

/** An attribute's value up to the end of a tag. */
const UNQUOTED_AT_END = /=\s*[^\s"'=][^\s=]*$/;

const IFRAME_TAG = /<(\/?)iframe(?=[\s/>])((?:"[^"]*"|'[^']*'|[^'"<>])*)>/gi;

/** Neither a comment nor a document type: `<!'`. */
const BARE_EXCLAMATION = /<!(?![-[a-z])/gi;

/** More is shown as text. */
const MAX_CHARACTERS = 1_000_000;

export interface SafeHtml {
  /** Safe to put into a page. */
  html: string;
  /** What can be read in it, for searching. */
  text: string;
}

/** Takes long on some input and much memory on other: call it in a thread. */
export function safeHtml(html: string, { base }: { base?: string | undefined } = {}): SafeHtml {
  if (html.length > MAX_CHARACTERS) return textOnly(html);
  try {
    const safe = plainHtml(html) ?? treeHtml(html, base);
    return safe.html.length > 2 * MAX_CHARACTERS ? textOnly(html) : safe;
  } catch (error) {
    // Nested too deep for the stack.
    if (error instanceof RangeError) return textOnly(html);
    throw error;
  }
}

/** Of any HTML, whatever it holds. */
export function treeHtml(html: string, base?: string): SafeHtml {
  if (!/[<&]/.test(html)) return fromPlainText(html);
  const tree = fromParse5(parseFragment(mendHtml(html), { scriptingEnabled: false })) as Root;
  if (tree.children.every(({ type }) => type === 'text')) return fromPlainText(valuesOf(tree));
  tidy(tree, base);
  const safe = sanitize(tree, SAFE_HTML) as Root;
  return { html: toHtml(safe).trim(), text: textOf(safe) };
}

function fromPlainText(text: string): SafeHtml {
  return { html: paragraphs(text), text: collapse(text) };
}

function valuesOf({ children }: Root): string {
  return children.map((child) => ('value' in child ? child.value : '')).join('');
}

const INLINE = new Set(
  'a abbr b bdi bdo cite code del dfn em i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

function textOf(tree: Root): string {
  const pieces: string[] = [];
  collect(tree, pieces);
  return collapse(pieces.join(''));
}

function collect(parent: Root | Element, pieces: string[]): void {
  for (const child of parent.children) {
    if (child.type === 'text') pieces.push(child.value);
    if (child.type !== 'element') continue;
    const gap = INLINE.has(child.tagName) ? '' : ' ';
    pieces.push(gap, typeof child.properties.alt === 'string' ? child.properties.alt : '');
    collect(child, pieces);
    pieces.push(gap);
  }
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Closes what a browser would let swallow the words after it: XHTML may write `<script/>`, and words in an embedded page's
 * element are there to be read instead of the page.
 */
function mendHtml(written: string): string {
  const html = written.includes('<svg:') ? written.replace(SVG_PREFIX, '$1') : written;
  const mended = html.includes('/>') ? html.replace(SELF_CLOSED, closed) : html;
  const words = /<\/?iframe/i.test(mended) ? mended.replace(IFRAME_TAG, closedAtOnce) : mended;
  return words.includes('<!') ? withoutSections(words).replace(BARE_EXCLAMATION, '&lt;!') : words;
}

/** The slash of `<script src=https://example.org/>` is the address's, and what follows is code. */
function closed(tag: string, name: string, attributes: string): string {
  const isOpen = UNQUOTED_AT_END.test(`${attributes.replace(QUOTED, '""')}/`);
  return isOpen ? tag : `${tag}</${name}>`;
}

/** Some wrap their text twice; in HTML a section's beginning is a comment that ends with the first tag. One without an end is text. */
function withoutSections(html: string): string {
  if (!html.includes('<![CDATA[')) return html;
  if (!html.includes(']]>')) return html.replaceAll('<![CDATA[', '&lt;![CDATA[');
  return html.replaceAll('<![CDATA[', '').replaceAll(']]>', '');
}

function closedAtOnce(_: string, slash: string, attributes: string): string {
  return slash ? '' : `<iframe${attributes}></iframe>`;
}
