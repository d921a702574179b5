import { drawPicture } from '../feeds/picture.js';
import type { Age } from '../feeds/post-times.js';
import { escaped } from '../feeds/render-feed.js';
import type { Reply } from '../local-sites.js';
import { plainPage } from '../plain-page.js';
import { accessTo } from './profile-access.js';
import { pageOfProfile, picturePost } from './profile-posts.js';
import { PROFILES, type Profile } from './profiles.js';

/** The answer to `GET /users/<username>/posts`. */
export interface ProfilePage {
  user: { username: string; fullName: string; avatarUrl: string };
  posts: {
    id: string;
    caption: string;
    takenAt: string;
    url: string;
    imageUrl: string;
    likes: number;
    comments: number;
  }[];
  /** The value of `before` for the next page; null on the last page. */
  next: string | null;
}

interface SiteWorld {
  age: Age;
  now: Date;
  /** The address of the site, without a trailing slash. */
  base: string;
}

const DEFAULT_COUNT = 12;
const MAX_COUNT = 50;

/** `/users/<username>/posts?count=&before=`, `/pictures/<username>/<number>.png` (0 is the avatar) and `/p/<username>/<number>`. */
export function instagramSite({ pathname, searchParams }: URL, world: SiteWorld): Reply {
  const [, kind, slug, rest = ''] = pathname.split('/');
  const profile = PROFILES.find((candidate) => candidate.slug === slug);
  if (!profile) return problem(404, 'There is nobody of that name.');
  if (kind === 'pictures') return picture(profile, rest, world);
  const access = accessTo(profile, world.now.getTime() - world.age.startedAt.getTime());
  if (access === 'gone') return problem(404, 'This profile was deleted.');
  if (access === 'private') return problem(403, 'This profile is private.');
  if (kind === 'p') return postPage(profile, Number(rest), world);
  if (kind !== 'users' || rest !== 'posts') return problem(404, 'There is nothing here.');
  if (access === 'shown') return json(profilePage(profile, searchParams, world));
  const wait = { 'Retry-After': String(access.retryAfterSeconds) };
  return { ...problem(429, 'Please wait a little before you ask again.'), headers: wait };
}

function profilePage(profile: Profile, query: URLSearchParams, { age, now, base }: SiteWorld): ProfilePage {
  const { slug, fullName } = profile;
  const count = Math.min(MAX_COUNT, Number(query.get('count')) || DEFAULT_COUNT);
  const before = Number(query.get('before')) || undefined;
  const { posts, hasMore } = pageOfProfile(profile, age, { now, before, count });
  const oldest = posts.at(-1);
  return {
    user: { username: slug, fullName, avatarUrl: `${base}/pictures/${slug}/0.png` },
    posts: posts.map(({ number, publishedAt, ...post }) => ({
      id: `${slug}-${number}`,
      ...post,
      takenAt: publishedAt.toISOString(),
      url: `${base}/p/${slug}/${number}`,
      imageUrl: `${base}/pictures/${slug}/${number}.png`,
    })),
    next: hasMore && oldest ? String(oldest.number) : null,
  };
}

function postPage(profile: Profile, number: number, { age, now, base }: SiteWorld): Reply {
  if (!Number.isInteger(number) || number < 1) return problem(404, 'There is no such post.');
  const { caption, likes, publishedAt } = picturePost(profile, number, { age, now });
  if (publishedAt > now) return problem(404, 'There is no such post.');
  const image = `<p><img src="${base}/pictures/${profile.slug}/${number}.png" width="320" height="180" alt=""></p>`;
  const paragraphs = caption.split('\n\n').map((text) => `<p>${escaped(text)}</p>`);
  return plainPage(profile.fullName, `${image}${paragraphs.join('')}<p><small>${likes} likes</small></p>`);
}

function picture({ slug }: Profile, file: string, { age }: SiteWorld): Reply {
  const number = /^(\d+)\.png$/.exec(file)?.[1];
  if (number === undefined) return problem(404, 'There is no such picture.');
  const headers = { 'Cache-Control': 'max-age=3600' };
  return { type: 'image/png', headers, body: drawPicture(age.seed, `${slug}/${number}`) };
}

const json = (value: object): Reply => ({ type: 'application/json', body: JSON.stringify(value) });
const problem = (status: number, message: string): Reply => ({ status, ...json({ message }) });
