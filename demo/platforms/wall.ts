import { escaped } from '../feeds/render-feed.js';
import { plainPage } from '../plain-page.js';
import type { Answer } from './faulty-api.js';

interface WallPost {
  id: string;
  by: string;
  text: string;
  link?: string | undefined;
  at: Date;
}

/** The page shows at most this many posts. */
const MAX_POSTS = 100;

/** The page that shows the posts published on a platform, newest first. */
export function wallPage(platform: string, posts: WallPost[]): Answer {
  const shown = posts.slice(-MAX_POSTS).reverse().map(post);
  const nothing = '<p>Nothing has been published here yet.</p>';
  const { body } = plainPage(`${platform}, a platform of the demo`, shown.join('') || nothing);
  return { status: 200, body, headers: { 'Content-Type': 'text/html; charset=utf-8' } };
}

function post({ id, by, text, link, at }: WallPost): string {
  const words = escaped(text).replaceAll('\n', '<br>');
  const address = link ? `<br><small>${escaped(link)}</small>` : '';
  return `<article id="${escaped(id)}"><small>${escaped(by)}, ${at.toUTCString()}</small><br>${words}${address}</article>`;
}
