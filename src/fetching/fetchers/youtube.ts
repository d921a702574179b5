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

/** A channel id (`UC…`), or `playlist:` with a playlist id. Both are case-sensitive. */
const YoutubeId = z
  .string()
  .trim()
  .transform((text) => parseId(text) ?? '')
  .refine(Boolean, "a channel's id (UC… and 22 characters) or playlist:PL…");

/** The most reliable pattern comes first. */
const ID_IN_PAGE = [
  /<link\b[^>]{0,300}\brel="canonical"[^>]{0,300}\/channel\/(UC[\w-]{22})"/,
  /\/feeds\/videos\.xml\?channel_id=(UC[\w-]{22})"/,
  /<meta\b[^>]{0,300}\bitemprop="(?:identifier|channelId)"[^>]{0,300}\bcontent="(UC[\w-]{22})"/,
  /"(?:externalId|channelId)":"(UC[\w-]{22})"/,
];
/** Declines cookies. Otherwise YouTube sends a consent page in some countries. */
const NO_COOKIES = { Cookie: 'SOCS=CAI' };
const FLASH = 'application/x-shockwave-flash';

/** The feed has no older pages. */
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
    const request = { ...command, url: feedUrl(command, tools) };
    const { response, unchanged, notModified, validators } = await getIfChanged(request, tools);
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
      // Pushed entries have no description, so a push triggers a fetch of the channel.
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
    // Thumbnails are kept; the players are Flash.
    media: post.media
      .filter(({ type }) => type !== FLASH)
      .map(({ url, type }) => ({
        url,
        type: type ?? (/\.jpe?g$/.test(new URL(url).pathname) ? 'image/jpeg' : undefined),
      })),
  };
}

/** Descriptions are plain text, which the feed parser has escaped as HTML. */
function plainDescription(content: string): string {
  if (/[<>]/.test(content)) return content;
  return content.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** The feed names authors by the URL of their channel. */
function authorOf({ username, displayName }: Author): Author {
  const id = /\/channel\/(UC[\w-]{22})$/.exec(username)?.[1];
  return { username: id ?? username, displayName };
}

function isYoutube({ hostname }: URL): boolean {
  return HOSTS.has(hostname);
}

function idAt(url: URL): string | undefined {
  if (!isYoutube(url)) return undefined;
  const { pathname, searchParams } = url;
  if (pathname === '/playlist') return parseId(`playlist:${searchParams.get('list')}`);
  if (pathname !== '/feeds/videos.xml') return parseId(/^\/channel\/([^/]+)/.exec(pathname)?.[1] ?? '');
  const channel = searchParams.get('channel_id');
  return parseId(channel ?? `playlist:${searchParams.get('playlist_id')}`);
}

function channelPath(url: URL): string | undefined {
  const { pathname, searchParams } = url;
  const user = pathname === '/feeds/videos.xml' ? searchParams.get('user') : undefined;
  if (user) return `user/${encodeURIComponent(user)}`;
  return /^\/(@[^/]+|(?:c|user)\/[^/]+)/.exec(pathname)?.[1];
}

function parseId(text: string): string | undefined {
  if (CHANNEL.test(text)) return text;
  const playlist = PLAYLIST.exec(text)?.[1];
  // The playlist of a channel's uploads is the same source as the channel.
  const channel = UPLOADS.exec(playlist ?? '')?.[1];
  if (channel) return `UC${channel}`;
  return playlist && `playlist:${playlist}`;
}
