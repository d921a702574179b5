const MAX_CHARACTERS = 100_000;
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", nbsp: ' ', amp: '&' };
const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export interface SafeHtml {
  html: string;
  /** Words for the search. */
  text: string;
}

/** Approximates the visible text of HTML that is too large or too deep to parse, in one pass without a tree. */
export function textOnly(html: string): SafeHtml {
  const visible = without(['script', 'style'], html)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(lt|gt|quot|apos|#39|nbsp|amp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/[^\S\n]+/g, ' ');
  const text = visible.slice(0, MAX_CHARACTERS).toWellFormed().trim();
  return fromPlainText(text);
}

export function fromPlainText(text: string): SafeHtml {
  return { html: paragraphs(text), text: collapse(text) };
}

/** Replaces each run of white space by a space. Most are one already, and are left alone. */
export function collapse(text: string): string {
  return text.replace(/\s{2,}|[^\S ]/g, ' ').trim();
}

function paragraphs(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n[^\S\n]*\n\s*/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => `<p>${escaped(part).replaceAll('\n', '<br>')}</p>`)
    .join('\n');
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPED[character] ?? '');
}

function without(tags: string[], html: string): string {
  return tags.reduce((rest, tag) => withoutTag(tag, rest), html.slice(0, 10 * MAX_CHARACTERS));
}

/** Uses string search, because a regular expression would take quadratic time if many end tags are missing. */
function withoutTag(tag: string, html: string): string {
  const lower = html.toLowerCase();
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const start = lower.indexOf(`<${tag}`, at);
    if (start < 0) return kept.join(' ') + html.slice(at);
    kept.push(html.slice(at, start));
    const end = lower.indexOf(`</${tag}`, start);
    if (end < 0) return kept.join(' ');
    at = end;
  }
}
