import { createHash } from 'node:crypto';
import type { Reply, Site, Visit } from '../local-sites.js';
import { plainPage } from '../plain-page.js';
import { SeededRandom } from '../seeded-random.js';
import { drawPicture } from './picture.js';
import type { Age } from './post-times.js';
import { pageOfPosts, postOf, type WorldPost } from './posts.js';
import { PAGE, type Publication } from './publication.js';
import { escaped, postAddress, postHtml, renderFeed } from './render-feed.js';

interface Surroundings {
  age: Age;
  now(): Date;
  /** The address of the site, with a trailing slash. */
  base: string;
  /** Delay of each page of the feed, in milliseconds. */
  paceMs?: number;
}

export const feedPath = ({ format }: Publication) => (format === 'json' ? 'feed.json' : 'feed.xml');

/** The web site of a publication: feed, pages and pictures. */
export function publicationSite(publication: Publication, around: Surroundings): Site {
  return (visit) => {
    const { pathname } = visit.url;
    if (pathname.startsWith('/posts/')) return postPage(publication, Number(pathname.slice(7)), around);
    if (pathname.startsWith('/pictures/')) return picture(publication, pathname, around);
    if (pathname === '/icon.svg') return icon(publication);
    if (pathname === '/') return frontPage(publication, around);
    if (pathname === `/new/${feedPath(publication)}`) return feed(publication, visit, around);
    if (pathname !== `/${feedPath(publication)}`) return { status: 404, body: 'There is no such page.' };
    return byHabit(publication, around) ?? feed(publication, visit, around);
  };
}

/** Milliseconds between changes from working to failing and back. */
const SPELL_MS = 15_000;

function byHabit(publication: Publication, { base, age, now }: Surroundings): Reply | undefined {
  const spell = Math.floor((now().getTime() - age.startedAt.getTime()) / SPELL_MS);
  const chance = new SeededRandom(age.seed, publication.slug, spell, 'habit').next();
  switch (publication.habit) {
    case 'moved':
      return { status: 301, headers: { Location: `${base}new/${feedPath(publication)}` } };
    case 'gone':
      return { status: 410, body: 'We have closed. Thank you for reading.' };
    case 'fails':
      if (chance < 0.3) return { status: 500, body: 'Something broke.' };
      return chance < 0.5 ? { drops: true } : undefined;
    case 'busy':
      return spell % 4 === 1 ? { status: 429, headers: { 'Retry-After': '30' }, body: 'Later, please.' } : undefined;
    default:
      return undefined;
  }
}

const SLOW_MS = 3_500;

function feed(publication: Publication, { url, headers }: Visit, around: Surroundings): Reply {
  const { base, age, now, paceMs = 0 } = around;
  const page = Math.max(1, Math.floor(Number(url.searchParams.get('page') ?? 1)) || 1);
  const { posts, hasMore } = pageOfPosts(publication, age, { now: now(), page, size: PAGE });
  const next = publication.hasArchive && hasMore ? `${base}${feedPath(publication)}?page=${page + 1}` : undefined;
  const { type, body } = renderFeed({ publication, base, posts, next });
  const sent = publication.habit === 'broken' ? spoilt(body) : body;
  const etag = `"${createHash('sha256').update(sent).digest('hex').slice(0, 16)}"`;
  const afterMs = publication.habit === 'slow' ? SLOW_MS : paceMs;
  if (headers['if-none-match'] === etag) return { status: 304, headers: { ETag: etag }, afterMs };
  return { type, headers: { ETag: etag }, body: sent, afterMs };
}

/** Breaks XML as in files written by hand: bare ampersands and a missing end. */
const spoilt = (xml: string) => xml.replaceAll(', and ', ' & ').replace(/<\/channel>[\s\S]*$/, '');

function frontPage(publication: Publication, { base, age, now }: Surroundings): Reply {
  const { posts } = pageOfPosts(publication, age, { now: now(), page: 1, size: PAGE });
  const type = {
    rss: 'application/rss+xml',
    rdf: 'application/rss+xml',
    atom: 'application/atom+xml',
    json: 'application/feed+json',
  };
  const link = `<link rel="alternate" type="${type[publication.format]}" title="${escaped(publication.title)}" href="/${feedPath(publication)}"><link rel="icon" type="image/svg+xml" href="/icon.svg">`;
  const list = posts.map(
    (post) => `<article><a href="${postAddress(base, post)}">${escaped(post.title)}</a> ${small(post)}</article>`,
  );
  return plainPage(publication.title, list.join(''), link);
}

function postPage(publication: Publication, number: number, { base, age, now }: Surroundings): Reply {
  const post = Number.isInteger(number) && number > 0 ? postOf(publication, number, age) : undefined;
  if (!post || post.publishedAt > now()) return { status: 404, body: 'There is no such post.' };
  return plainPage(
    post.title,
    `<p>${small(post)}</p>${postHtml(base, post)}<p><a href="/">${escaped(publication.title)}</a></p>`,
  );
}

/** The first letter of the title on a colour of the publication's own. */
function icon({ slug, title }: Publication): Reply {
  const hue = new SeededRandom(1, slug, 'icon').between(0, 359);
  const body = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="hsl(${hue} 55% 42%)"/><text x="16" y="23" font-family="sans-serif" font-size="20" font-weight="700" fill="#fff" text-anchor="middle">${escaped(title.charAt(0))}</text></svg>`;
  return { type: 'image/svg+xml', headers: { 'Cache-Control': 'max-age=86400' }, body };
}

const small = ({ author, publishedAt }: WorldPost) => `<small>${escaped(author)}, ${publishedAt.toUTCString()}</small>`;

function picture({ slug }: Publication, pathname: string, { age }: Surroundings): Reply {
  const body = drawPicture(age.seed, `${slug}${pathname}`);
  return { type: 'image/png', headers: { 'Cache-Control': 'max-age=86400' }, body };
}
