import { z } from 'zod';
import { remoteFetcher } from '../remote/remote-fetcher.js';

const HOSTS = new Set(['twitter.com', 'www.twitter.com', 'mobile.twitter.com', 'x.com', 'www.x.com']);
const USERNAME = /^\w{1,15}$/;
/** Paths of the site that look like accounts. */
const PAGES = new Set([
  'home',
  'explore',
  'i',
  'search',
  'settings',
  'messages',
  'notifications',
  'hashtag',
  'intent',
  'share',
  'login',
  'signup',
  'tos',
  'privacy',
]);

export const twitter = remoteFetcher({
  type: 'twitter',
  name: 'Twitter (X) account',
  externalId: z
    .string()
    .trim()
    .toLowerCase()
    .transform((text) => text.replace(/^@/, ''))
    .refine((text) => USERNAME.test(text), 'a user name such as nasa'),
  recognise({ hostname, pathname }) {
    const name = HOSTS.has(hostname) ? pathname.split('/')[1]?.toLowerCase() : undefined;
    return name && !PAGES.has(name) ? name : undefined;
  },
});
