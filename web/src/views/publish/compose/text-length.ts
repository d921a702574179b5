import type { Platform } from '../capacity/use-platforms';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** The segmenter's time grows with the square of the text length, so longer texts are counted in code points. */
const MAX_SEGMENTED = 10_000;
const ADDRESS = /https?:\/\/\S+/g;
/** Mastodon counts every URL as 23 characters. */
const MASTODON_ADDRESS = 'x'.repeat(23);

interface Words {
  text: string;
  link: string;
}

/** An estimate; the server decides. The link counts unless the text contains it. */
export function textLength(platform: Pick<Platform, 'name' | 'accepts'>, { text, link }: Words): number {
  const all = !link || text.includes(link) ? text.trim() : [text.trim(), link].filter(Boolean).join('\n\n');
  if (platform.accepts.text.unit === 'bytes') return new TextEncoder().encode(all).length;
  return countCharacters(platform.name === 'mastodon' ? all.replace(ADDRESS, MASTODON_ADDRESS) : all);
}

const countCharacters = (text: string) =>
  text.length > MAX_SEGMENTED ? [...text].length : [...segmenter.segment(text)].length;
