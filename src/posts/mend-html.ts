/** Elements whose tags, left open, take in all that follows as text of theirs. */
const SELF_CLOSED = /<(script|style|textarea|title|noembed|noframes|xmp)(?=[\s/])([^<>]*)\/>/gi;
/** XHTML may name the elements of a drawing by their namespace. */
const SVG_PREFIX = /(<\/?)svg:(?=[a-z])/gi;
const QUOTED = /"[^"]*"|'[^']*'/g;
/** An attribute's value up to the end of a tag. */
const UNQUOTED_AT_END = /=\s*[^\s"'=][^\s=]*$/;
const IFRAME_TAG = /<(\/?)iframe(?=[\s/>])((?:"[^"]*"|'[^']*'|[^'"<>])*)>/gi;
/** Neither a comment nor a document type: `<!'`. */
const BARE_EXCLAMATION = /<!(?![-[a-z])/gi;

/**
 * Closes what a browser would let swallow the words after it: XHTML may write `<script/>`, and words in an embedded page's
 * element are there to be read instead of the page.
 */
export function mendHtml(written: string): string {
  const html = written.includes('<svg:') ? written.replace(SVG_PREFIX, '$1') : written;
  const mended = html.includes('/>') ? html.replace(SELF_CLOSED, closed) : html;
  const words = /<\/?iframe/i.test(mended) ? mended.replace(IFRAME_TAG, closedAtOnce) : mended;
  return words.includes('<!') ? withoutSections(words).replace(BARE_EXCLAMATION, '&lt;!') : words;
}

/** The slash of `<script src=https://example.org/>` is the address's, and what follows is code. */
function closed(tag: string, name: string, attributes: string): string {
  const isOpen = UNQUOTED_AT_END.test(`${attributes.replace(QUOTED, '""')}/`);
  return isOpen ? tag : `${tag}</${name}>`;
}

/** Some wrap their text twice; in HTML a section's beginning is a comment that ends with the first tag. One without an end is text. */
function withoutSections(html: string): string {
  if (!html.includes('<![CDATA[')) return html;
  if (!html.includes(']]>')) return html.replaceAll('<![CDATA[', '&lt;![CDATA[');
  return html.replaceAll('<![CDATA[', '').replaceAll(']]>', '');
}

function closedAtOnce(_: string, slash: string, attributes: string): string {
  return slash ? '' : `<iframe${attributes}></iframe>`;
}
