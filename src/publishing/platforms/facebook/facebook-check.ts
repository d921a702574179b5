import type { Accepts, Content, ContentProblem } from '../../platform.js';
import { mediaAt } from '../media-address.js';
import { charactersOf, wordsWithLink } from '../post-words.js';

const PLACE = 'Facebook';
const MAX_CHARACTERS = 63_206;
const MAX_PHOTOS = 10;

export const FACEBOOK_ACCEPTS: Accepts = {
  text: { most: MAX_CHARACTERS, unit: 'characters' },
  media: { least: 0, most: MAX_PHOTOS, kinds: ['image'] },
};

export function checkForFacebook(content: Content): ContentProblem[] {
  const { text, link, mediaUrls } = content;
  const problems: ContentProblem[] = [];
  if (!text.trim() && !link && !mediaUrls.length) {
    problems.push({ path: 'text', message: `${PLACE} takes no post without text, link and photos` });
  }
  const length = charactersOf(messageOf(content));
  if (length > MAX_CHARACTERS) {
    const what = messageOf(content) === text ? 'text is' : 'text and link are';
    const over = `${length - MAX_CHARACTERS} more than ${PLACE} takes`;
    problems.push({ path: 'text', message: `${what} ${length} characters, ${over}` });
  }
  if (mediaUrls.length > MAX_PHOTOS) {
    const over = `${mediaUrls.length - MAX_PHOTOS} more than ${PLACE} takes`;
    problems.push({ path: 'mediaUrls', message: `there are ${mediaUrls.length} photos, ${over}` });
  }
  mediaUrls.forEach((url, at) => {
    const { ending, kind = 'photo' } = mediaAt(url);
    if (kind === 'photo') return;
    problems.push({ path: `mediaUrls.${at}`, message: `${PLACE} posts are given photos, and .${ending} is none` });
  });
  return problems;
}

/** A post shows photos or a link preview, not both, so the link of a post with photos goes into the text. */
export const messageOf = (content: Content): string =>
  content.mediaUrls.length ? wordsWithLink(content) : content.text;
