import { decodeBase64Texts } from './base64-texts.js';
import { cleanAuthors } from './clean-authors.js';
import { dropDoctype } from './drop-doctype.js';
import { firstItems } from './first-items.js';
import { pushDownBases } from './push-down-bases.js';
import { renameElements } from './rename-elements.js';
import { usualShape } from './usual-shape.js';

/** As many as are read of one document. */
export const MOST_ITEMS = 10_000;

/** The document in the shape that the feed parser knows; what is in its items stays as it is written. */
export function shapeXml(text: string): string {
  return usualShape(firstItems(dropDoctype(text), MOST_ITEMS));
}

/** Rewrites what the feed parser would not see, where a document has such a thing at all. */
export function prepareXml(text: string, base: string): string {
  return pushDownBases(renameElements(decodeBase64Texts(cleanAuthors(dcAuthors(linkTexts(text))))), base);
}

/** Dublin Core has creators; some feeds have authors in its name. */
function dcAuthors(text: string): string {
  return text.includes('<dc:author') ? text.replace(/(<\/?dc:)author(?=[\s>])/g, '$1creator') : text;
}

/** Atom's links are attributes; some put the address between the tags as in RSS. */
function linkTexts(text: string): string {
  if (!/<feed[\s>]/i.test(text)) return text;
  return text.replace(/<link>\s*([^<>\s"]+)\s*<\/link>/gi, '<link href="$1"/>');
}
