import { decodeReferences } from '../text/plain-text.js';
import { piecesOf } from '../xml/pieces.js';
import { type FieldPath, type Fit, fits } from './field-path.js';

/** What is looked at of one text, in characters. */
const LONGEST = 10_000;
const ATTRIBUTE = /\s([^\s=/<>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** What stands in an element as the HTML that is meant: references decoded, sections opened, its elements taken for tags. */
export function elementHtml(markup: string): string {
  const bounded = withoutCutTag(markup.slice(0, LONGEST), markup.length > LONGEST);
  if (!/[<&]/.test(bounded)) return bounded;
  let html = '';
  let afterEnd = false;
  for (const { kind, start, end } of piecesOf(bounded)) {
    const raw = bounded.slice(start, end);
    if (kind === 'text') html += decodeReferences(raw);
    else if (kind === 'cdata') html += raw.replace(/^<!\[CDATA\[|\]\]>$/g, '');
    // Parts of an address and the like are words of their own, though nothing may stand between them.
    else if (kind !== 'other') html += afterEnd && kind !== 'close' ? ` ${raw}` : raw;
    afterEnd = kind === 'close';
  }
  return html;
}

/** The value of the attribute that a path ends with; empty if the tag has none. */
export function attributeHtml(tag: string, { attribute = '' }: FieldPath, fit: Fit): string {
  for (const [, name = '', double, single] of tag.slice(0, LONGEST).matchAll(ATTRIBUTE)) {
    if (fits(attribute, name.toLowerCase(), fit)) return decodeReferences(double ?? single ?? '');
  }
  return '';
}

function withoutCutTag(markup: string, isCut: boolean): string {
  const lastTag = isCut ? markup.lastIndexOf('<') : -1;
  return lastTag > markup.lastIndexOf('>') ? markup.slice(0, lastTag) : markup;
}
