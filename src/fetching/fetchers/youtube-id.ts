import { z } from 'zod';

const CHANNEL = /^UC[\w-]{22}$/;
const PLAYLIST = /^(?:playlist:)?((?:PL|UU|FL|OL)[\w-]{10,62})$/;
const UPLOADS = /^UU([\w-]{22})$/;
const HOSTS = new Set(['youtube.com', 'www.youtube.com', 'm.youtube.com', 'music.youtube.com']);

/** A channel's id (`UC…`), or `playlist:` and a playlist's. They tell upper case from lower. */
export const YoutubeId = z
  .string()
  .trim()
  .transform((text) => parseId(text) ?? '')
  .refine(Boolean, "a channel's id (UC… and 22 characters) or playlist:PL…");

export function isYoutube({ hostname }: URL): boolean {
  return HOSTS.has(hostname);
}

/** The channel or playlist whose page or feed this is, if the address tells its id. */
export function idAt(url: URL): string | undefined {
  if (!isYoutube(url)) return undefined;
  const { pathname, searchParams } = url;
  if (pathname === '/playlist') return parseId(`playlist:${searchParams.get('list')}`);
  if (pathname !== '/feeds/videos.xml') return parseId(/^\/channel\/([^/]+)/.exec(pathname)?.[1] ?? '');
  const channel = searchParams.get('channel_id');
  return parseId(channel ?? `playlist:${searchParams.get('playlist_id')}`);
}

/** The path of a page that knows the channel's id, where the address names it otherwise. */
export function channelPath(url: URL): string | undefined {
  const { pathname, searchParams } = url;
  const user = pathname === '/feeds/videos.xml' ? searchParams.get('user') : undefined;
  if (user) return `user/${encodeURIComponent(user)}`;
  return /^\/(@[^/]+|(?:c|user)\/[^/]+)/.exec(pathname)?.[1];
}

function parseId(text: string): string | undefined {
  if (CHANNEL.test(text)) return text;
  const playlist = PLAYLIST.exec(text)?.[1];
  // Every channel's uploads are a playlist as well: the same source.
  const channel = UPLOADS.exec(playlist ?? '')?.[1];
  if (channel) return `UC${channel}`;
  return playlist && `playlist:${playlist}`;
}
