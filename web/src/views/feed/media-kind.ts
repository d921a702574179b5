import type { Post } from './post';

type Media = Post['media'][number];
type MediaKind = 'image' | 'audio' | 'video' | 'file';

const ENDINGS: [MediaKind, RegExp][] = [
  ['image', /\.(png|jpe?g|gif|webp|avif|svg)$/i],
  ['audio', /\.(mp3|m4a|ogg|oga|opus|wav|flac)$/i],
  ['video', /\.(mp4|m4v|webm|mov|ogv)$/i],
];

/** The declared type wins over the file extension. */
export function mediaKind({ url, type }: Media): MediaKind {
  const said = ENDINGS.find(([kind]) => type === kind || type?.startsWith(`${kind}/`));
  if (said) return said[0];
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  return (type === undefined && ENDINGS.find(([, ending]) => ending.test(path))?.[0]) || 'file';
}

/** Media that the text does not already show. */
export const mediaBeside = ({ media, content }: Pick<Post, 'media' | 'content'>): Media[] =>
  media.filter(({ url }) => !content.includes(url.replaceAll('&', '&#x26;')) && !content.includes(url));
