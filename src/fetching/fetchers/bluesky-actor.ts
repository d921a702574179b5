import { z } from 'zod';

const HANDLE = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const DID = /^did:(?:plc:[a-z2-7]{24}|web:[a-z0-9.-]+(?:%3a\d+)?)$/;
/** Excludes feeds and lists, whose URLs are below the profile of their author. */
const PROFILE = /^\/profile\/([^/]+)(?:\/?|\/post\/[^/]+\/?|\/rss)$/;

export const BlueskyActor = z
  .string()
  .trim()
  .toLowerCase()
  .transform((text) => text.replace(/^@/, ''))
  .refine(
    (text) => text.length <= 253 && (HANDLE.test(text) || DID.test(text)),
    'a handle such as alice.bsky.social, or a DID such as did:plc:…',
  );

export function actorAt({ hostname, pathname }: URL): string | undefined {
  if (hostname !== 'bsky.app' && hostname !== 'www.bsky.app') return undefined;
  const actor = PROFILE.exec(pathname)?.[1];
  return actor && BlueskyActor.safeParse(actor.replace(/%3a/gi, ':').replace(/%40/g, '@')).data;
}
