/** Elements whose tags, left open, take in all that follows as text of theirs. */
const SELF_CLOSED = /<(script|style|textarea|title|noembed|noframes|xmp)\b([^<>]*)\/>/gi;
const IFRAME_TAG = /<(\/?)iframe\b((?:"[^"]*"|'[^']*'|[^'"<>])*)>/gi;
/** Neither a comment nor a document type: `<!'`. */
const BARE_EXCLAMATION = /<!(?![-[a-z])/gi;

/**
 * Closes what a browser would let swallow the words after it: XHTML may write `<script/>`, and words in an embedded page's
 * element are there to be read instead of the page.
 */
export function mendHtml(html: string): string {
  const mended = html.includes('/>') ? html.replace(SELF_CLOSED, '<$1$2></$1>') : html;
  const words = /<\/?iframe/i.test(mended) ? mended.replace(IFRAME_TAG, closedAtOnce) : mended;
  return words.includes('<!') ? withoutSections(words).replace(BARE_EXCLAMATION, '&lt;!') : words;
}

/** Some wrap their text twice; in HTML a section's beginning is a comment that ends with the first tag. */
function withoutSections(html: string): string {
  return html.includes('<![CDATA[') ? html.replaceAll('<![CDATA[', '').replaceAll(']]>', '') : html;
}

function closedAtOnce(_: string, slash: string, attributes: string): string {
  return slash ? '' : `<iframe${attributes.replace(/\/$/, '')}></iframe>`;
}
