import { webAddress } from '../parsing/addresses.js';
import { escapeHtml } from '../parsing/text/escape-html.js';

const WEB_ADDRESS = /\bhttps?:\/\/[^\s<>"]+/g;
/** Characters that end the sentence rather than the URL. */
const TRAILING = ".,:;!?'’”»…)]}";

export function link(address: string, text: string): string {
  const href = webAddress(address);
  return href ? `<a href="${escapeHtml(href).replaceAll('"', '&quot;')}">${escapeHtml(text)}</a>` : escapeHtml(text);
}

export function paragraphs(text: string): string {
  return inParagraphs(
    text
      .trim()
      .replace(/\r\n?/g, '\n')
      .split(/(?:\n[^\S\n]*){2,}/)
      .map((paragraph) => withLinks(paragraph).replaceAll('\n', '<br>')),
  );
}

function inParagraphs(paragraphs: string[]): string {
  return paragraphs
    .filter(Boolean)
    .map((html) => `<p>${html}</p>`)
    .join('');
}

function withLinks(text: string): string {
  let html = '';
  let done = 0;
  for (const { 0: found, index } of text.matchAll(WEB_ADDRESS)) {
    const address = trimmed(found);
    html += escapeHtml(text.slice(done, index)) + link(address, address);
    done = index + address.length;
  }
  return html + escapeHtml(text.slice(done));
}

function trimmed(address: string): string {
  let end = address.length;
  while (TRAILING.includes(address.charAt(end - 1))) end -= 1;
  // A closing bracket is part of the URL if it was opened inside the URL.
  const bracket = address.charAt(end) === ')' && address.lastIndexOf('(', end) > address.lastIndexOf(')', end - 1);
  return address.slice(0, bracket ? end + 1 : end);
}
