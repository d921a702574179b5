import { z } from 'zod';
import { joinUrl } from '../../platform/http/web-address.js';
import type { Author, FoundPost } from '../../posts/post.js';
import { defineFetcher, type FetchCommand, type FetcherTools, FetchFailure } from '../fetcher.js';
import { announcedHubs } from '../websub/announced-hubs.js';
import { feedAllowance } from './feed-allowance.js';
import { getIfChanged } from './get-if-changed.js';
import { refusal } from './refusal.js';
import { paragraphs } from './write-html.js';

const CHANNEL = /^UC[\w-]{22}$/;

const PLAYLIST = /^(?:playlist:)?((?:PL|UU|FL|OL)[\w-]{10,62})$/;

const UPLOADS = /^UU([\w-]{22})$/;

const HOSTS = new Set(['youtube.com', 'www.youtube.com', 'm.youtube.com', 'music.youtube.com']);

/** A channel's id (`UC…`), or `playlist:` and a playlist's. They tell upper case from lower. */
const YoutubeId = z
  .string()
  .trim()
  .transform((text) => parseId(text) ?? '')
  .refine(Boolean, "a channel's id (UC… and 22 characters) or playlist:PL…");

/** Where a channel's page tells its id, the surest place first. */
const ID_IN_PAGE = [
  /<link\b[^>]{0,300}\brel="canonical"[^>]{0,300}\/channel\/(UC[\w-]{22})"/,
  /\/feeds\/videos\.xml\?channel_id=(UC[\w-]{22})"/,
  /<meta\b[^>]{0,300}\bitemprop="(?:identifier|channelId)"[^>]{0,300}\bcontent="(UC[\w-]{22})"/,
  /"(?:externalId|channelId)":"(UC[\w-]{22})"/,
];
/** Says no to the cookies of which it would ask first in some countries, in place of the page. */
const NO_COOKIES = { Cookie: 'SOCS=CAI' };
const FLASH = 'application/x-shockwave-flash';

/** The newest videos of a channel or playlist, from its Atom feed; older ones are not to be had. */
export const youtube = defineFetcher({
  type: 'youtube',
  name: 'YouTube channel or playlist',
  externalId: YoutubeId,
  recognise: idAt,
  address: (_externalId, { youtubeUrl }) => youtubeUrl,

  async lookUp(url, { http, config }, signal) {
    const path = isYoutube(url) ? channelPath(url) : undefined;
    if (!path) return undefined;
    const response = await http.get(joinUrl(config.youtubeUrl, path).href, { headers: NO_COOKIES, signal });
    if (response.status !== 200) return undefined;
    const page = response.text();
    return ID_IN_PAGE.map((place) => place.exec(page)?.[1]).find(Boolean);
  },

  async fetch(command, tools) {
    if (command.cursor !== undefined) throw new FetchFailure('INVALID_COMMAND', 'YouTube feeds have no further pages');
    const asked = { ...command, url: feedUrl(command, tools) };
    const { response, unchanged, notModified, validators } = await getIfChanged(asked, tools);
    const { body, url, headers, status } = response;
    if (unchanged) return { unchanged, notModified, validators, allows: feedAllowance(headers, {}, command.now) };
    if (status !== 200) throw refusal(response);
    const feed = await tools.parseFeed({ body, url, contentType: headers['content-type'] });
    const { title, siteUrl, allows } = feed;
    return {
      posts: feed.posts.map(toPost),
      source: { title, siteUrl },
      validators,
      allows: feedAllowance(headers, allows, command.now),
      // What its hub pushes has no description: the channel is fetched instead.
      announces: announcedHubs(response, feed),
    };
  },
});

function feedUrl({ externalId }: FetchCommand, { config }: FetcherTools): URL {
  const url = joinUrl(config.youtubeUrl, 'feeds/videos.xml');
  const playlist = /^playlist:(.+)$/.exec(externalId)?.[1];
  url.searchParams.set(playlist ? 'playlist_id' : 'channel_id', playlist ?? externalId);
  return url;
}

function toPost(post: FoundPost): FoundPost {
  return {
    ...post,
    content: paragraphs(plainDescription(post.content)),
    author: authorOf(post.author),
    // The pictures remain; players are Flash.
    media: post.media
      .filter(({ type }) => type !== FLASH)
      .map(({ url, type }) => ({
        url,
        type: type ?? (/\.jpe?g$/.test(new URL(url).pathname) ? 'image/jpeg' : undefined),
      })),
  };
}

/** Descriptions are plain text, and parsing a feed makes HTML of it. */
function plainDescription(content: string): string {
  if (/[<>]/.test(content)) return content;
  return content.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** A feed names authors by the addresses of their channels. */
function authorOf({ username, displayName }: Author): Author {
  const id = /\/channel\/(UC[\w-]{22})$/.exec(username)?.[1];
  return { username: id ?? username, displayName };
}

function isYoutube({ hostname }: URL): boolean {
  return HOSTS.has(hostname);
}

/** The channel or playlist whose page or feed this is, if the address tells its id. */
function idAt(url: URL): string | undefined {
  if (!isYoutube(url)) return undefined;
  const { pathname, searchParams } = url;
  if (pathname === '/playlist') return parseId(`playlist:${searchParams.get('list')}`);
  if (pathname !== '/feeds/videos.xml') return parseId(/^\/channel\/([^/]+)/.exec(pathname)?.[1] ?? '');
  const channel = searchParams.get('channel_id');
  return parseId(channel ?? `playlist:${searchParams.get('playlist_id')}`);
}

/** The path of a page that knows the channel's id, where the address names it otherwise. */
function channelPath(url: URL): string | undefined {
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
