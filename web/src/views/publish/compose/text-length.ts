import type { Platform } from '../capacity/use-platforms';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** A segmenter's time grows with the square of the text, and no limit so high is about characters that look like one. */
const MAX_SEGMENTED = 10_000;
const ADDRESS = /https?:\/\/\S+/g;
/** Mastodon counts each address as so many, however long it is. */
const MASTODON_ADDRESS = 'x'.repeat(23);

interface Words {
  text: string;
  link: string;
}

/** About as the platform counts; the server has the last word. The link counts where the text does not name it. */
export function textLength(platform: Pick<Platform, 'name' | 'accepts'>, { text, link }: Words): number {
  const all = !link || text.includes(link) ? text.trim() : [text.trim(), link].filter(Boolean).join('\n\n');
  if (platform.accepts.text.unit === 'bytes') return new TextEncoder().encode(all).length;
  return countCharacters(platform.name === 'mastodon' ? all.replace(ADDRESS, MASTODON_ADDRESS) : all);
}

const countCharacters = (text: string) =>
  text.length > MAX_SEGMENTED ? [...text].length : [...segmenter.segment(text)].length;
