import { describe, expect, it } from 'vitest';
import { content } from '../../../../test/platforms/publishing-tools.js';
import type { Content } from '../../platform.js';
import { checkForFacebook } from './facebook-check.js';

const PHOTOS = ['https://files.example/a.jpg', 'https://files.example/b.png'];

describe('what Facebook takes', () => {
  const problems = (given: Partial<Content>) => checkForFacebook(content(given));

  it('is a text, a link or photos', () => {
    for (const given of [{ text: 'a' }, { link: 'https://a.example' }, { mediaUrls: PHOTOS }]) {
      expect(problems(given)).toEqual([]);
    }
    expect(problems({ text: ' \n' })).toEqual([
      { path: 'text', message: 'Facebook takes no post without text, link and photos' },
    ]);
  });

  it('is at most 63,206 characters, however many bytes they have', () => {
    expect(problems({ text: '🥖'.repeat(63_206) })).toEqual([]);
    expect(problems({ text: '🥖'.repeat(63_218) })).toEqual([
      { path: 'text', message: 'text is 63218 characters, 12 more than Facebook takes' },
    ]);
    const link = 'https://a.example/';
    expect(problems({ text: 'a'.repeat(63_206), link })).toEqual([]);
    expect(problems({ text: 'a'.repeat(63_206), link, mediaUrls: PHOTOS })).toEqual([
      { path: 'text', message: 'text and link are 63226 characters, 20 more than Facebook takes' },
    ]);
  });

  it('is at most ten photos, and no videos', () => {
    const eleven = Array.from({ length: 11 }, (_, at) => `https://files.example/${at}`);
    expect(problems({ mediaUrls: eleven })).toEqual([
      { path: 'mediaUrls', message: 'there are 11 photos, 1 more than Facebook takes' },
    ]);
    expect(problems({ mediaUrls: ['https://files.example/a.jpg', 'https://files.example/film.MP4?x=1'] })).toEqual([
      { path: 'mediaUrls.1', message: 'Facebook posts are given photos, and .mp4 is none' },
    ]);
  });
});
