import { z } from 'zod';
import { remoteFetcher } from '../remote/remote-fetcher.js';

const HOSTS = new Set(['instagram.com', 'www.instagram.com', 'm.instagram.com']);
const USERNAME = /^(?!\.)(?!.*\.\.)[a-z0-9._]{1,30}(?<!\.)$/;
/** Paths of the site that look like accounts. */
const PAGES = new Set([
  'p',
  'reel',
  'reels',
  'tv',
  'stories',
  'explore',
  'accounts',
  'about',
  'direct',
  'developer',
  'legal',
]);

export const instagram = remoteFetcher({
  type: 'instagram',
  name: 'Instagram account',
  externalId: z
    .string()
    .trim()
    .toLowerCase()
    .transform((text) => text.replace(/^@/, ''))
    .refine((text) => USERNAME.test(text), 'a user name such as natgeo'),
  recognise({ hostname, pathname }) {
    const name = HOSTS.has(hostname) ? pathname.split('/')[1]?.toLowerCase() : undefined;
    return name && !PAGES.has(name) ? name : undefined;
  },
});
