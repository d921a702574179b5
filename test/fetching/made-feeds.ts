import type { FieldPaths, ParsedFeed } from '../../src/fetching/fetcher.js';
import { parseFeed } from '../../src/fetching/parsing/parse-feed.js';

export const FEED_URL = 'https://feeds.example/news/feed.xml';

interface Circumstances {
  url?: string;
  contentType?: string;
  contentLocation?: string;
  fields?: FieldPaths;
}

export function parse(document: string | Uint8Array, circumstances: Circumstances = {}): ParsedFeed {
  return parseFeed({ body: Buffer.from(document as string), url: FEED_URL, ...circumstances });
}

const NAMESPACES = [
  'xmlns:atom="http://www.w3.org/2005/Atom"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:dcterms="http://purl.org/dc/terms/"',
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
  'xmlns:media="http://search.yahoo.com/mrss/"',
  'xmlns:slash="http://purl.org/rss/1.0/modules/slash/"',
  'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"',
].join(' ');

export const rssOf = (...inner: string[]) =>
  `<?xml version="1.0"?><rss version="2.0" ${NAMESPACES}><channel>${inner.join('')}</channel></rss>`;
export const item = (...inner: string[]) => `<item>${inner.join('')}</item>`;

export const atomOf = (...inner: string[]) =>
  `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" ${NAMESPACES}>${inner.join('')}</feed>`;
export const entry = (...inner: string[]) => `<entry>${inner.join('')}</entry>`;

export const rdfOf = (channel: string, ...items: string[]) =>
  `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" ${NAMESPACES}>
  <channel rdf:about="https://site.example/">${channel}</channel>${items.join('')}</rdf:RDF>`;

export const jsonOf = (feed: object) => JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', ...feed });

/** The only post of a feed. */
export function postOf(document: string, circumstances?: Circumstances): ParsedFeed['posts'][number] {
  const { posts } = parse(document, circumstances);
  const [post] = posts;
  if (!post || posts.length > 1) throw new Error(`${posts.length} posts`);
  return post;
}
