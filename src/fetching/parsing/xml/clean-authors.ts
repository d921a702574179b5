import { decodeReferences, oneLine } from '../text/plain-text.js';

/** In characters. A name and an address fit into it. */
const MAX_LINE = 300;
const AUTHOR = /<(author|managingEditor|webMaster)(?:\s[^<>]*)?>/gi;
/** What is never in an author: the end that was found is another one's. */
const OTHERS = /<\/?(?:author|managingEditor|webMaster|item|channel|title)[\s>]/i;
/** Elements that an author of Atom has. */
const PARTS = /<(?:[\w.-]{1,99}:)?(?:name|email|uri|url)[\s>]/i;

/**
 * Authors of RSS as one short line of text each, without markup: the feed parser drops one with elements in it, and takes
 * quadratic time for brackets.
 */
export function cleanAuthors(text: string): string {
  if (!/<(?:rss|(?:[\w.-]{1,99}:)?rdf)[\s>]/i.test(text.slice(0, 10_000))) return text;
  const cleaned: string[] = [];
  let done = 0;
  AUTHOR.lastIndex = 0;
  for (let found = AUTHOR.exec(text); found; found = AUTHOR.exec(text)) {
    const [tag, name = ''] = found;
    const start = found.index + tag.length;
    const end = text.indexOf(`</${name}`, start);
    if (end < 0) break;
    const content = text.slice(start, end);
    const isClosed = !OTHERS.test(content);
    if (isClosed && !isClean(content)) {
      cleaned.push(text.slice(done, start), lineOf(content));
      done = end;
    }
    AUTHOR.lastIndex = isClosed ? end : start;
  }
  return cleaned.join('') + text.slice(done);
}

function isClean(content: string): boolean {
  return content.length <= MAX_LINE && (!/[<&]/.test(content) || PARTS.test(content));
}

function lineOf(content: string): string {
  const text = content
    .slice(0, 10 * MAX_LINE)
    .replace(/<!\[CDATA\[|\]\]>/g, '')
    .replace(/&(?:lt|#60);/g, '<')
    .replace(/&(?:gt|#62);/g, '>');
  // An address may stand in angle brackets, as in `Ann <a@b.example>`.
  const plain = decodeReferences(text.replace(/<(?![^<>\s"'=]+@[^<>\s"'=]+>)[a-z/!][^<>]*>/gi, ' '));
  const line = oneLine(plain.replace(/([([<])[([<\s]+/g, '$1')).slice(0, MAX_LINE);
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
