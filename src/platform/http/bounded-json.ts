/** Validation may need a hundred times the memory of the text, so these are checked first. */
export interface JsonLimits {
  maxBytes: number;
  maxDepth: number;
  maxValues: number;
  maxItems: number;
}

/** Default limits. A full page of posts from Mastodon or Bluesky reaches a tenth of them. */
export const REMOTE_JSON: JsonLimits = { maxBytes: 2_000_000, maxDepth: 100, maxValues: 100_000, maxItems: 1_000 };

export type ParsedJson = { value: unknown } | { breach: string; cause?: unknown };

export function parseBounded(text: string, limits: JsonLimits): ParsedJson {
  const excess = excessOf(text, limits);
  if (excess) return { breach: excess };
  try {
    return { value: JSON.parse(text) };
  } catch (cause) {
    return { breach: 'answers with something that is no JSON', cause };
  }
}

export const tooManyBytes = ({ maxBytes }: JsonLimits) =>
  `answers with more than ${maxBytes.toLocaleString('en')} bytes of JSON`;

export function excessOf(text: string, limits: Omit<JsonLimits, 'maxBytes'>): string | undefined {
  const { maxDepth, maxValues, maxItems } = limits;
  const words: Record<JsonExcess, string> = {
    depth: `answers with JSON nested more than ${maxDepth} deep`,
    values: `answers with more than ${maxValues.toLocaleString('en')} values`,
    items: `answers with a list of more than ${maxItems.toLocaleString('en')} values`,
  };
  const excess = new JsonScanner(limits).read(text);
  return excess && words[excess];
}

export type JsonExcess = 'depth' | 'values' | 'items';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

export class JsonScanner {
  private readonly items: number[] = [];
  private values = 1;
  private inString = false;
  private isEscaped = false;

  constructor(private readonly limits: Omit<JsonLimits, 'maxBytes'>) {}

  /** A piece may be cut anywhere and decoded as Latin-1: UTF-8 uses ASCII bytes for ASCII only. */
  read(text: string): JsonExcess | undefined {
    const { maxDepth, maxValues, maxItems } = this.limits;
    for (let at = this.inString ? this.endOfString(text, 0) : 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = this.endOfString(text, at + 1) - 1;
      else if (code === COMMA) {
        const count = (this.items.pop() ?? 1) + 1;
        if (count > maxItems) return 'items';
        this.items.push(count);
        this.values += 1;
      } else if (OPENING.has(code)) {
        this.items.push(1);
        this.values += 1;
      } else if (CLOSING.has(code)) this.items.pop();
      if (this.items.length > maxDepth) return 'depth';
      if (this.values > maxValues) return 'values';
    }
    return undefined;
  }

  private endOfString(text: string, start: number): number {
    const from = this.isEscaped && text.length > start ? start + 1 : start;
    if (from > start) this.isEscaped = false;
    this.inString = true;
    for (let searched = from; ; ) {
      const quote = text.indexOf('"', searched);
      const end = quote === -1 ? text.length : quote;
      const isEscaped = isOdd(backslashesBefore(text, end, from));
      if (quote === -1) {
        if (end > from) this.isEscaped = isEscaped;
        return end;
      }
      if (!isEscaped) {
        this.inString = false;
        return quote + 1;
      }
      searched = quote + 1;
    }
  }
}

function backslashesBefore(text: string, end: number, start: number): number {
  let first = end;
  while (first > start && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return end - first;
}

const isOdd = (count: number) => count % 2 === 1;
