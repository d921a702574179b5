import type { WorldPost } from './posts.js';
import type { Publication } from './publication.js';

/** The content of one page of a feed. */
interface FeedPage {
  publication: Pick<Publication, 'title' | 'format'>;
  /** The address of the publication, with a trailing slash. */
  base: string;
  posts: WorldPost[];
  /** The address of the page with older posts. */
  next: string | undefined;
}

interface RenderedFeed {
  type: string;
  body: string;
}

export function renderFeed(page: FeedPage): RenderedFeed {
  const { format } = page.publication;
  if (format === 'json') return { type: 'application/feed+json', body: jsonFeed(page) };
  if (format === 'atom') return { type: 'application/atom+xml; charset=utf-8', body: atom(page) };
  if (format === 'rdf') return { type: 'application/rdf+xml; charset=utf-8', body: rdf(page) };
  return { type: 'application/rss+xml; charset=utf-8', body: rss(page) };
}

export const postAddress = (base: string, { number }: WorldPost) => `${base}posts/${number}`;
const pictureAddress = (base: string, { number }: WorldPost) => `${base}pictures/${number}.png`;

export function postHtml(base: string, post: WorldPost): string {
  const picture = post.hasPicture
    ? `<p><img src="${pictureAddress(base, post)}" alt="" width="640" height="360"></p>`
    : '';
  return picture + post.paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`).join('\n');
}

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

function rss({ publication, base, posts, next }: FeedPage): string {
  const items = posts.map((post) => {
    const link = postAddress(base, post);
    return `<item><title>${escaped(post.title)}</title><link>${link}</link><guid isPermaLink="false">${link}</guid><pubDate>${post.publishedAt.toUTCString()}</pubDate><dc:creator>${escaped(post.author)}</dc:creator><description>${escaped(postHtml(base, post))}</description></item>`;
  });
  const more = next ? `<atom:link rel="next" href="${escaped(next)}"/>` : '';
  return `${HEAD}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>${escaped(publication.title)}</title><link>${base}</link><description>${escaped(publication.title)}</description>${more}\n${items.join('\n')}\n</channel></rss>\n`;
}

function atom({ publication, base, posts, next }: FeedPage): string {
  const entries = posts.map((post) => {
    const link = postAddress(base, post);
    const at = post.publishedAt.toISOString();
    return `<entry><id>${link}</id><title>${escaped(post.title)}</title><link href="${link}"/><published>${at}</published><updated>${at}</updated><author><name>${escaped(post.author)}</name></author><content type="html">${escaped(postHtml(base, post))}</content></entry>`;
  });
  const more = next ? `<link rel="next" href="${escaped(next)}"/>` : '';
  const updated = posts[0]?.publishedAt.toISOString() ?? '1970-01-01T00:00:00Z';
  return `${HEAD}<feed xmlns="http://www.w3.org/2005/Atom"><id>${base}</id><title>${escaped(publication.title)}</title><link href="${base}"/>${more}<updated>${updated}</updated>\n${entries.join('\n')}\n</feed>\n`;
}

function rdf({ publication, base, posts }: FeedPage): string {
  const items = posts.map((post) => {
    const link = postAddress(base, post);
    return `<item rdf:about="${link}"><title>${escaped(post.title)}</title><link>${link}</link><dc:date>${post.publishedAt.toISOString()}</dc:date><dc:creator>${escaped(post.author)}</dc:creator><description>${escaped(postHtml(base, post))}</description></item>`;
  });
  return `${HEAD}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="${base}"><title>${escaped(publication.title)}</title><link>${base}</link><description>${escaped(publication.title)}</description></channel>\n${items.join('\n')}\n</rdf:RDF>\n`;
}

function jsonFeed({ publication, base, posts, next }: FeedPage): string {
  const items = posts.map((post) => ({
    id: postAddress(base, post),
    url: postAddress(base, post),
    title: post.title,
    content_html: postHtml(base, post),
    date_published: post.publishedAt.toISOString(),
    authors: [{ name: post.author }],
    ...(post.hasPicture && { image: pictureAddress(base, post) }),
  }));
  const feed = { version: 'https://jsonfeed.org/version/1.1', title: publication.title, home_page_url: base };
  return JSON.stringify({ ...feed, ...(next && { next_url: next }), items });
}
