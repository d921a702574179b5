import { prologOf } from './xml/prolog.js';

/** What a document that is no feed seems to be, in words for those who gave its address. */
export function whatItIs(text: string): string {
  const start = text.trimStart().slice(0, 2_000);
  if (!start) return 'the document is empty';
  if (/^[{[]/.test(start)) return 'this is JSON, but not a JSON feed';
  if (/<(?:!doctype\s+html|html|head|body)\b/i.test(start)) return 'this is an HTML page, not a feed';
  const [, root] = /^<([A-Za-z_][\w:.-]*)/.exec(text.slice(prologOf(text).root)) ?? [];
  if (root && /^(?:[\w.-]+:)?(?:rss|rdf|feed)$/i.test(root)) return 'this feed is too broken to be read';
  return root ? `this is an XML document (<${root}>), but not a feed` : 'this is neither XML nor JSON, so not a feed';
}
