export interface Piece {
  kind: 'open' | 'close' | 'empty' | 'text' | 'cdata' | 'other';
  name: string;
  start: number;
  end: number;
}

const NAME = /[A-Za-z_:\u0080-\uffff][\w:.\u0080-\uffff-]*/y;
const SECTIONS = [
  { opens: '<![CDATA[', closes: ']]>', kind: 'cdata' },
  { opens: '<!--', closes: '-->', kind: 'other' },
  { opens: '<?', closes: '?>', kind: 'other' },
  { opens: '<!', closes: '>', kind: 'other' },
] as const;

/** Never fails: a `<` that starts no markup is text. */
export function* piecesOf(text: string): Generator<Piece> {
  const lastEnd = text.lastIndexOf('>');
  let at = 0;
  while (at < text.length) {
    // No tag can end after the last `>`, so it is not searched for again.
    const piece = text[at] === '<' && (at < lastEnd || text.startsWith('<![', at)) ? markupAt(text, at) : undefined;
    const next = piece ?? textAt(text, at);
    yield next;
    at = next.end;
  }
}

function textAt(text: string, start: number): Piece {
  const next = text.indexOf('<', start + 1);
  return { kind: 'text', name: '', start, end: next < 0 ? text.length : next };
}

function markupAt(text: string, start: number): Piece | undefined {
  const section = SECTIONS.find(({ opens }) => text.startsWith(opens, start));
  if (section) {
    const close = text.indexOf(section.closes, start + section.opens.length);
    return { kind: section.kind, name: '', start, end: close < 0 ? text.length : close + section.closes.length };
  }
  return tagAt(text, start);
}

function tagAt(text: string, start: number): Piece | undefined {
  const closing = text[start + 1] === '/';
  NAME.lastIndex = start + (closing ? 2 : 1);
  const [name] = NAME.exec(text) ?? [];
  if (!name) return undefined;
  const end = tagEnd(text, NAME.lastIndex);
  if (end === undefined) return undefined;
  if (closing) return { kind: 'close', name, start, end };
  return { kind: text[end - 2] === '/' ? 'empty' : 'open', name, start, end };
}

/** A `>` in a quoted value does not end the tag, unless the quote is not closed before the next `<`. */
function tagEnd(text: string, from: number): number | undefined {
  const plainEnd = text.indexOf('>', from);
  if (plainEnd < 0) return undefined;
  const next = text.indexOf('<', from);
  const brokenEnd = next >= 0 && next < plainEnd ? next : plainEnd + 1;
  for (let at = from; at < text.length; ) {
    const char = text[at];
    if (char === '>') return at + 1;
    if (char === '<') return brokenEnd;
    const quote = char === '"' || char === "'" ? text.indexOf(char, at + 1) : at;
    if (quote < 0 || (next >= 0 && next < quote)) return brokenEnd;
    at = quote + 1;
  }
  return brokenEnd;
}
