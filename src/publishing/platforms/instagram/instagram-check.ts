import type { Accepts, Content, ContentProblem } from '../../platform.js';
import { mediaAt } from '../media-address.js';
import { charactersOf, wordsWithLink } from '../post-words.js';

const MAX_CHARACTERS = 2200;
const MAX_HASHTAGS = 30;
const MAX_MENTIONS = 20;
const MAX_MEDIA = 10;

const HASHTAG = /(?<![\p{L}\p{N}_&])#[\p{L}\p{N}_]+/gu;
const MENTION = /(?<![\p{L}\p{N}_.@])@[A-Za-z0-9_.]+/gu;

const PHOTO_ENDINGS = ['jpg', 'jpeg', 'jpe'];
const VIDEO_ENDINGS = ['mp4', 'm4v', 'mov'];

export const INSTAGRAM_ACCEPTS: Accepts = {
  text: { most: MAX_CHARACTERS, unit: 'characters' },
  media: { least: 1, most: MAX_MEDIA, kinds: ['image', 'video'] },
};

/** The limits are those of the Graph API's reference. Instagram shows no links, so they go into the caption. */
export function checkForInstagram(content: Content): ContentProblem[] {
  const caption = wordsWithLink(content);
  const [hashtags, mentions] = [HASHTAG, MENTION].map((pattern) => caption.match(pattern)?.length ?? 0);
  const length = charactersOf(caption);
  const what = caption === content.text ? 'text is' : 'text and link are';
  return [
    ...over({ path: 'text', amount: length, most: MAX_CHARACTERS }, `${what} ${length} characters`),
    ...over({ path: 'text', amount: hashtags, most: MAX_HASHTAGS }, `text has ${hashtags} hashtags`),
    ...over({ path: 'text', amount: mentions, most: MAX_MENTIONS }, `text mentions ${mentions} accounts`),
    ...mediaProblems(content.mediaUrls),
  ];
}

export function kindAt(url: string): 'photo' | 'video' | undefined {
  const { ending } = mediaAt(url);
  if (PHOTO_ENDINGS.includes(ending)) return 'photo';
  return VIDEO_ENDINGS.includes(ending) ? 'video' : undefined;
}

function mediaProblems(urls: string[]): ContentProblem[] {
  if (!urls.length) return [{ path: 'mediaUrls', message: 'Instagram takes no post without a photo or video' }];
  const wrong = urls.flatMap((url, at) => {
    const { ending, kind } = mediaAt(url);
    if (!kind || kindAt(url)) return [];
    return [{ path: `mediaUrls.${at}`, message: `Instagram takes JPEG photos, MP4 and MOV videos, but no .${ending}` }];
  });
  return [
    ...over({ path: 'mediaUrls', amount: urls.length, most: MAX_MEDIA }, `there are ${urls.length} media`),
    ...wrong,
  ];
}

interface Amount {
  path: string;
  amount: number | undefined;
  most: number;
}

function over({ path, amount = 0, most }: Amount, what: string): ContentProblem[] {
  return amount > most ? [{ path, message: `${what}, ${amount - most} more than Instagram takes` }] : [];
}
