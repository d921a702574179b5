import { type Declarations, declaredNames } from './declared-names.js';
import { decodePlain } from './decode-plain.js';
import { NOT_PLAIN, refuse } from './not-plain.js';

const [TAB, LINE_FEED, SPACE, QUOTE, APOSTROPHE] = [9, 10, 32, 34, 39];
const [BANG, SLASH, COLON, EQUALS, GREATER, QUESTION] = [33, 47, 58, 61, 62, 63];

const MAX_DEPTH = 50;
const MAX_ATTRIBUTES = 50;
/** Longer texts make up most of their document. */
const MAX_DETACHED_LENGTH = 300;

/** Elements that the general reader searches for anywhere, or moves. Only the readers of this folder expect some of them. */
const MOVED =
  /^(?:rss:.*|dc:author|(?:.*:)?(?:item|items|entry|rss|rdf|feed|channel|meta|skiphours|skipdays|body|fullitem)|constructor|prototype)$/;

/** Matches these elements in texts and remarks, where the general reader would take them for real ones. */
const HIDDEN =
  /<\?|<\/?(?:rss:|dc:author|link>|(?:[\w.-]{1,99}:)?(?:item|items|entry|rss|rdf|feed|channel|meta|skiphours|skipdays|author|managingeditor|webmaster)[\s/>])/i;

const INSTRUCTION = /<\?[\w-]{1,50}(?:\s+[\w-]{1,50}\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*\?>/y;

/** Reads an element whose start tag is read, up to its end. */
export type ElementReader<T> = (xml: PlainXml, into: T) => void;
type ElementReaders<T> = ReadonlyMap<string, ElementReader<T>>;

/**
 * A cursor over a well-formed document without anything that the general reader repairs, renames or resolves. Everything
 * else ends with NOT_PLAIN. It never goes back, so its time is linear.
 */
export class PlainXml {
  /** Counts the texts that are not empty. */
  texts = 0;
  private at = 0;
  private name = '';
  private isEmpty = false;
  private readonly attributes: string[] = [];
  private names: Declarations | undefined;

  constructor(private readonly text: string) {}

  /** Whether the document names this namespace, by any prefix. */
  declares(prefix: string): boolean {
    return this.names?.declared.has(prefix) ?? false;
  }

  mentions(words: string): boolean {
    return this.text.includes(words);
  }

  /** Reads the prolog and the start tag of the root. Returns the name of the root as it is written. */
  root(): string {
    for (;;) {
      const lt = this.nextMarkup();
      const code = this.text.charCodeAt(lt + 1);
      if (code === QUESTION) this.at = this.instructionEnd(lt);
      else if (code === BANG) this.skipComment(lt);
      else {
        this.names = declaredNames(this.text, lt);
        this.open(lt);
        return this.name;
      }
    }
  }

  /** Nothing but space and remarks may follow the root. */
  end(): void {
    for (let lt = this.text.indexOf('<', this.at); lt >= 0; lt = this.text.indexOf('<', this.at)) {
      this.requireSpace(lt);
      this.skipComment(lt);
    }
    this.requireSpace(this.text.length);
  }

  /** Other elements are skipped. */
  children<T>(into: T, readers: ElementReaders<T>): void {
    if (this.isEmpty) return;
    const parent = this.name;
    for (;;) {
      const lt = this.nextMarkup();
      const code = this.text.charCodeAt(lt + 1);
      if (code === SLASH) {
        this.close(parent, lt);
        return;
      }
      if (code === BANG) this.skipComment(lt);
      else {
        this.open(lt);
        const read = readers.get(this.canonicalName());
        if (read) read(this, into);
        else this.skip();
      }
    }
  }

  attribute(name: string): string | undefined {
    // Where a name is repeated, the last one counts.
    const at = this.attributes.lastIndexOf(name);
    const raw = at >= 0 && at % 2 === 0 ? this.attributes[at + 1] : undefined;
    if (raw === undefined) return at >= 0 ? refuse() : undefined;
    return detached(decodePlain(raw).trim()) || undefined;
  }

  /** A whole number, not decoded. */
  number(): number | undefined {
    const raw = this.rawText();
    if (!raw.trim()) return undefined;
    if (!/^\s*\d{1,15}\s*$/.test(raw)) throw NOT_PLAIN;
    this.texts += 1;
    return Number(raw);
  }

  /** The element must hold nothing but its attributes. */
  onlyAttributes(): void {
    if (this.attributes.length === 0 || this.rawText().trim()) throw NOT_PLAIN;
  }

  content(): string | undefined {
    if (this.isEmpty) return undefined;
    const { text, name } = this;
    let value = '';
    for (;;) {
      const lt = text.indexOf('<', this.at);
      if (lt < 0) throw NOT_PLAIN;
      const decoded = decodePlain(text.slice(this.at, lt));
      value = value ? value + decoded : decoded;
      if (text.charCodeAt(lt + 1) === SLASH) {
        this.close(name, lt);
        const trimmed = value.trim();
        if (trimmed) this.texts += 1;
        return detached(trimmed) || undefined;
      }
      value += this.section(lt);
    }
  }

  /** Skips the element and everything in it. */
  skip(): void {
    if (MOVED.test(this.canonicalName())) throw NOT_PLAIN;
    if (this.isEmpty) return;
    const open = [this.name];
    for (let name = open.at(-1); name !== undefined; name = open.at(-1)) {
      const lt = this.text.indexOf('<', this.at);
      const code = lt < 0 ? 0 : this.text.charCodeAt(lt + 1);
      if (code === SLASH) {
        this.close(name, lt);
        open.pop();
      } else if (code === BANG && this.text.startsWith('<![', lt)) this.section(lt);
      else if (code === BANG) this.skipComment(lt);
      else {
        this.open(lt);
        if (MOVED.test(this.canonicalName())) throw NOT_PLAIN;
        if (!this.isEmpty && open.push(this.name) > MAX_DEPTH) throw NOT_PLAIN;
      }
    }
  }

  private canonicalName(): string {
    return this.names?.canonical(this.name) ?? refuse();
  }

  private rawText(): string {
    if (this.isEmpty) return '';
    const lt = this.text.indexOf('<', this.at);
    const raw = this.text.slice(this.at, lt);
    this.close(this.name, lt);
    return raw;
  }

  private nextMarkup(): number {
    const lt = this.text.indexOf('<', this.at);
    if (lt < 0) throw NOT_PLAIN;
    this.requireSpace(lt);
    return lt;
  }

  private requireSpace(end: number): void {
    for (let at = this.at; at < end; at++) if (!isSpace(this.text.charCodeAt(at))) throw NOT_PLAIN;
  }

  private instructionEnd(lt: number): number {
    INSTRUCTION.lastIndex = lt;
    if (!INSTRUCTION.test(this.text)) throw NOT_PLAIN;
    return INSTRUCTION.lastIndex;
  }

  private skipComment(lt: number): void {
    const end = this.text.startsWith('<!--', lt) ? this.text.indexOf('-->', lt + 4) : -1;
    const inside = this.text.slice(lt + 4, end);
    if (end < 0 || inside.includes('<!') || HIDDEN.test(inside)) throw NOT_PLAIN;
    this.at = end + 3;
  }

  /** The content of a CDATA section, without the remarks in it. */
  private section(lt: number): string {
    const start = lt + 9;
    const end = this.text.startsWith('<![CDATA[', lt) ? this.text.indexOf(']]>', start) : -1;
    if (end < 0) throw NOT_PLAIN;
    const inside = this.text.slice(start, end);
    if (HIDDEN.test(inside)) throw NOT_PLAIN;
    this.at = end + 3;
    return withoutRemarks(inside);
  }

  private close(name: string, lt: number): void {
    const end = lt + 2 + name.length;
    const { text } = this;
    if (lt < 0 || text.charCodeAt(lt + 1) !== SLASH || !text.startsWith(name, lt + 2)) throw NOT_PLAIN;
    if (text.charCodeAt(end) !== GREATER) throw NOT_PLAIN;
    this.at = end + 1;
  }

  private open(lt: number): void {
    const { text } = this;
    const start = lt + 1;
    let at = start;
    if (!isLetter(text.charCodeAt(at))) throw NOT_PLAIN;
    while (isNameCode(text.charCodeAt(at))) at++;
    this.name = text.slice(start, at);
    this.attributes.length = 0;
    if (isSpace(text.charCodeAt(at))) at = this.readAttributes(at);
    this.isEmpty = text.charCodeAt(at) === SLASH;
    if (this.isEmpty) at++;
    if (text.charCodeAt(at) !== GREATER) throw NOT_PLAIN;
    this.at = at + 1;
  }

  private readAttributes(from: number): number {
    const { text, attributes } = this;
    for (let at = from; ; ) {
      const before = at;
      at = this.afterSpace(at);
      const code = text.charCodeAt(at);
      if (code === GREATER || code === SLASH) return at;
      if (at === before || !isLetter(code) || attributes.length >= 2 * MAX_ATTRIBUTES) throw NOT_PLAIN;
      const start = at;
      while (isNameCode(text.charCodeAt(at))) at++;
      const name = text.slice(start, at).toLowerCase();
      at = this.afterSpace(at);
      if (text.charCodeAt(at) !== EQUALS) throw NOT_PLAIN;
      at = this.readValue(name, this.afterSpace(at + 1));
    }
  }

  private readValue(name: string, at: number): number {
    const { text } = this;
    const quote = text.charCodeAt(at);
    if (quote !== QUOTE && quote !== APOSTROPHE) throw NOT_PLAIN;
    const end = text.indexOf(quote === QUOTE ? '"' : "'", at + 1);
    const value = text.slice(at + 1, end);
    if (end < 0 || value.includes('<') || name === 'mode' || name === 'xml:base' || name === 'xml:id') throw NOT_PLAIN;
    this.attributes.push(name, value);
    return end + 1;
  }

  private afterSpace(from: number): number {
    let at = from;
    while (isSpace(this.text.charCodeAt(at))) at++;
    return at;
  }
}

/** V8 makes parts of a string that keep all of it in memory, so a title would hold the document until it is stored. */
function detached(text: string): string {
  return text.length <= MAX_DETACHED_LENGTH ? ` ${text}`.slice(1) : text;
}

function withoutRemarks(text: string): string {
  if (!text.includes('<!--')) return text;
  const plain = text.replace(/<!--[\s\S]*?-->/g, '');
  return plain.includes('<!--') ? refuse() : plain;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === TAB;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** Letters, digits and `:._-`. */
function isNameCode(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= COLON) || code === 45 || code === 46 || code === 95;
}
