import { fromParse5 } from 'hast-util-from-parse5';
import { sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import { parseFragment } from 'parse5';
import { plainHtml } from './plain/plain-html.js';
import { INLINE, SAFE_HTML } from './safe-html-schema.js';
import { collapse, fromPlainText, type SafeHtml, textOnly } from './text-only.js';
import { type Element, type Root, tidy } from './tidy-html.js';

/** Elements that swallow all following text if they are left open. */
const SELF_CLOSED = /<(script|style|textarea|title|noembed|noframes|xmp)(?=[\s/])([^<>]*)\/>/gi;

/** XHTML may prefix SVG elements with their namespace. */
const SVG_PREFIX = /(<\/?)svg:(?=[a-z])/gi;

const QUOTED = /"[^"]*"|'[^']*'/g;

const UNQUOTED_AT_END = /=\s*[^\s"'=][^\s=]*$/;

const IFRAME_TAG = /<(\/?)iframe(?=[\s/>])((?:"[^"]*"|'[^']*'|[^'"<>])*)>/gi;

/** An invalid declaration such as `<!'`, which is neither a comment nor a document type. */
const BARE_EXCLAMATION = /<!(?![-[a-z])/gi;

const MAX_CHARACTERS = 1_000_000;

export type { SafeHtml } from './text-only.js';

/** May take much time or memory. Call it in a thread. */
export function safeHtml(html: string, { base }: { base?: string | undefined } = {}): SafeHtml {
  if (html.length > MAX_CHARACTERS) return textOnly(html);
  try {
    const safe = plainHtml(html, base) ?? treeHtml(html, base);
    return safe.html.length > 2 * MAX_CHARACTERS ? textOnly(html) : safe;
  } catch (error) {
    // The HTML was nested too deeply for the stack.
    if (error instanceof RangeError) return textOnly(html);
    throw error;
  }
}

export function treeHtml(html: string, base?: string): SafeHtml {
  if (!/[<&]/.test(html)) return fromPlainText(html);
  const tree = fromParse5(parseFragment(repairHtml(html), { scriptingEnabled: false })) as Root;
  if (tree.children.every(({ type }) => type === 'text')) return fromPlainText(valuesOf(tree));
  tidy(tree, base);
  const safe = sanitize(tree, SAFE_HTML) as Root;
  return { html: toHtml(safe).trim(), text: textOf(safe) };
}

function valuesOf({ children }: Root): string {
  return children.map((child) => ('value' in child ? child.value : '')).join('');
}

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

/** XHTML may contain `<script/>`, and the content of an iframe is its fallback text: both would swallow text. */
function repairHtml(written: string): string {
  const html = written.includes('<svg:') ? written.replace(SVG_PREFIX, '$1') : written;
  const repaired = html.includes('/>') ? html.replace(SELF_CLOSED, closed) : html;
  const words = /<\/?iframe/i.test(repaired) ? repaired.replace(IFRAME_TAG, closedAtOnce) : repaired;
  return words.includes('<!') ? withoutSections(words).replace(BARE_EXCLAMATION, '&lt;!') : words;
}

/** In `<script src=https://example.org/>` the slash belongs to the URL, and code follows. */
function closed(tag: string, name: string, attributes: string): string {
  const isOpen = UNQUOTED_AT_END.test(`${attributes.replace(QUOTED, '""')}/`);
  return isOpen ? tag : `${tag}</${name}>`;
}

/** Some feeds wrap their text in CDATA twice. In HTML the start of a section is a comment up to the first tag. */
function withoutSections(html: string): string {
  if (!html.includes('<![CDATA[')) return html;
  if (!html.includes(']]>')) return html.replaceAll('<![CDATA[', '&lt;![CDATA[');
  return html.replaceAll('<![CDATA[', '').replaceAll(']]>', '');
}

function closedAtOnce(_: string, slash: string, attributes: string): string {
  return slash ? '' : `<iframe${attributes}></iframe>`;
}
