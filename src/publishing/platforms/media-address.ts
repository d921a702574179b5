import { canParseUrl } from '../../platform/can-parse-url.js';

type MediaKind = 'photo' | 'video' | 'other';

const KINDS: Record<string, MediaKind> = Object.fromEntries([
  ...['jpg', 'jpeg', 'jpe', 'png', 'gif', 'webp', 'bmp', 'tif', 'tiff', 'heic', 'heif', 'avif'].map((e) => [
    e,
    'photo',
  ]),
  ...['mp4', 'm4v', 'mov', 'webm', 'avi', 'mkv', 'mpg', 'mpeg', 'wmv', 'flv', '3gp'].map((e) => [e, 'video']),
  ...['mp3', 'm4a', 'wav', 'ogg', 'flac', 'pdf', 'doc', 'docx', 'zip', 'txt', 'html'].map((e) => [e, 'other']),
]);

export function mediaAt(address: string): { ending: string; kind: MediaKind | undefined } {
  const path = canParseUrl(address) ? new URL(address).pathname : '';
  const ending = /\.([a-z0-9]{1,5})$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return { ending, kind: Object.hasOwn(KINDS, ending) ? KINDS[ending] : undefined };
}

/** Platforms that fetch the file themselves require an ASCII address. */
export const asciiAddress = (address: string): string => (canParseUrl(address) ? new URL(address).href : address);
