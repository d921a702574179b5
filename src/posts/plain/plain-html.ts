import { collapse, fromPlainText, type SafeHtml } from '../text-only.js';
import { Addresses } from '../tidy-html.js';
import { escapedText, readAttributes, safeStartTag } from './plain-attributes.js';
import { PLAIN_ELEMENTS, type PlainElement } from './plain-elements.js';
import { decoded } from './plain-entities.js';

/** Below the sizes at which `safeHtml` shows text only. */
const MAX_CHARACTERS = 50_000;
const MAX_BASE_LENGTH = 200;
const MAX_RESULT = 500_000;
const MAX_DEPTH = 60;

const GREATER_THAN = 0x3e;
const SLASH = 0x2f;

/**
 * Produces the same result as `treeHtml` in one pass over the text, without a tree. Returns undefined unless the HTML
 * is well-formed, so that a parser would repair nothing, and has only elements and attributes whose treatment is simple.
 */
export function plainHtml(html: string, base?: string): SafeHtml | undefined {
  if (html.length > MAX_CHARACTERS || (base && base.length > MAX_BASE_LENGTH)) return undefined;
  if (!html.includes('<')) return plainText(html);
  if (html.includes('\0') || html.startsWith('\ufeff')) return undefined;
  return new PlainPass(withLineFeeds(html), new Addresses(base)).run();
}

function plainText(text: string): SafeHtml | undefined {
  if (!text.includes('&')) return fromPlainText(text);
  if (text.includes('\0') || text.startsWith('\ufeff')) return undefined;
  const words = decoded(withLineFeeds(text), { inAttribute: false });
  return words === undefined ? undefined : fromPlainText(words);
}

function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

class PlainPass {
  private readonly open: PlainElement[] = [];
  private made = '';
  private words = '';
  /** Input before this position is in the result. */
  private copied = 0;
  private nextReference: number;
  private hasMarkup = false;

  constructor(
    private readonly html: string,
    private readonly addresses: Addresses,
  ) {
    this.nextReference = html.indexOf('&');
  }

  run(): SafeHtml | undefined {
    let at = 0;
    for (let tag = this.html.indexOf('<'); tag >= 0; tag = this.html.indexOf('<', at)) {
      if (!this.text(at, tag)) return undefined;
      at = this.tag(tag);
      if (at < 0 || this.made.length > MAX_RESULT) return undefined;
    }
    if (!this.text(at, this.html.length) || this.open.length || !this.hasMarkup) return undefined;
    this.replace(this.html.length, '', this.html.length);
    return { html: this.made.trim(), text: collapse(this.words) };
  }

  private replace(from: number, text: string, to: number): void {
    this.made += this.html.slice(this.copied, from) + text;
    this.copied = to;
  }

  private text(from: number, to: number): boolean {
    if (from === to) return true;
    const written = this.html.slice(from, to);
    if (this.nextReference >= 0 && this.nextReference < from) this.nextReference = this.html.indexOf('&', from);
    if (this.nextReference < 0 || this.nextReference >= to) {
      this.words += written;
      return true;
    }
    const words = decoded(written, { inAttribute: false });
    if (words === undefined) return false;
    this.words += words;
    this.replace(from, escapedText(words), to);
    return true;
  }

  /** Returns the position after the tag, or -1 if it is not plain. */
  private tag(at: number): number {
    if (this.html.startsWith('<!--', at)) return this.comment(at);
    const isEnd = this.html.charCodeAt(at + 1) === SLASH;
    const from = at + (isEnd ? 2 : 1);
    const to = this.endOfName(from);
    const name = this.html.slice(from, to);
    const element = PLAIN_ELEMENTS.get(name) ?? PLAIN_ELEMENTS.get(name.toLowerCase());
    if (!element) return -1;
    const isShort = this.html.charCodeAt(to) === GREATER_THAN;
    if (isEnd) return isShort ? this.endTag(element, at, to + 1) : -1;
    if (!this.mayOpen(element)) return -1;
    this.hasMarkup = true;
    return isShort && !element.isDependent
      ? this.start(element, at, to + 1)
      : this.startWithAttributes(element, at, to);
  }

  /** A comment is removed. One with tags in it may end elsewhere than it seems. */
  private comment(at: number): number {
    const end = this.html.indexOf('>', at);
    const nextTag = this.html.indexOf('<', at + 1);
    if (end < at + 6 || !this.html.startsWith('--', end - 2) || (nextTag >= 0 && nextTag < end)) return -1;
    this.hasMarkup = true;
    this.replace(at, '', end + 1);
    return end + 1;
  }

  private endOfName(from: number): number {
    let at = from;
    while (isLetterOrDigit(this.html.charCodeAt(at))) at += 1;
    return at;
  }

  /** Returns whether a parser inserts the element without closing or repeating others. */
  private mayOpen(element: PlainElement): boolean {
    const { open } = this;
    const parent = open.at(-1);
    if (open.length >= MAX_DEPTH) return false;
    if (element.isFormatting) return !open.includes(element);
    if (!element.isBlock) return true;
    if (open.some(({ name }) => name === 'p')) return false;
    if (element.isHeading && parent?.isHeading) return false;
    return !element.parents || (parent !== undefined && element.parents.includes(parent.name));
  }

  private endTag(element: PlainElement, from: number, to: number): number {
    // A parser inserts a line break for `</br>`, and `repairHtml` joins the text around `</iframe>`.
    if (element.name === 'br' || element.name === 'iframe') return -1;
    if (!element.isVoid && this.open.pop() !== element) return -1;
    const { endTag, gap } = element;
    if (!this.isWritten(endTag, from, to)) this.replace(from, endTag, to);
    if (!element.isVoid) this.words += gap;
    return to;
  }

  private start(element: PlainElement, from: number, to: number): number {
    if (!this.isWritten(element.startTag, from, to)) this.replace(from, element.startTag, to);
    return this.opened(element, to);
  }

  private startWithAttributes(element: PlainElement, from: number, nameEnd: number): number {
    const written = readAttributes(this.html, nameEnd);
    if (!written || (written.isSelfClosing && !element.isVoid)) return -1;
    if (!element.attributes.size) return this.start(element, from, written.end);
    const safe = safeStartTag(element, written.pairs, this.addresses);
    if (!safe) return -1;
    const end = element.name === 'iframe' ? this.afterEndTag(written.end) : written.end;
    this.replace(from, safe.html, end);
    if (!safe.html) return end;
    this.words += element.gap + safe.words;
    return this.opened(element, end);
  }

  private afterEndTag(at: number): number {
    return this.html.startsWith('</iframe>', at) ? at + '</iframe>'.length : at;
  }

  private opened(element: PlainElement, to: number): number {
    this.words += element.gap;
    if (!element.isVoid) this.open.push(element);
    if (element.name !== 'pre') return to;
    // A line feed at the start of preformatted text is not part of it.
    if (this.html[to] === '&') return -1;
    if (this.html[to] !== '\n') return to;
    this.replace(to, '', to + 1);
    return to + 1;
  }

  private isWritten(tag: string, from: number, to: number): boolean {
    return tag.length === to - from && this.html.startsWith(tag, from);
  }
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
}
