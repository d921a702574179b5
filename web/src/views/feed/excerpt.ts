const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const MAX_LENGTH = 200;
/** Only this many characters of the HTML are read. */
const MAX_HTML_LENGTH = 4_000;
const LAST_CODE_POINT = 0x10ffff;

/** Plain text from the start of a post. It is not escaped: render it as text, never as HTML. */
export function excerpt(html: string): string {
  const text = html
    .slice(0, MAX_HTML_LENGTH)
    .replace(/<[^>]*(>|$)/g, ' ')
    .replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole, name: string) => decoded(name) ?? whole)
    .replace(/\s+/g, ' ')
    .replace(/ ([.,;:!?])/g, '$1')
    .trim();
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).trimEnd()}…` : text;
}

function decoded(name: string): string | undefined {
  if (!name.startsWith('#')) return NAMED[name.toLowerCase()];
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : undefined;
}
