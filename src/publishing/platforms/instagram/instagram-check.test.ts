import { describe, expect, it } from 'vitest';
import { content } from '../../../../test/platforms/publishing-tools.js';
import type { Content } from '../../platform.js';
import { checkForInstagram } from './instagram-check.js';

const PHOTO = 'https://files.example/a.jpg';
const problems = (given: Partial<Content>) => checkForInstagram(content({ mediaUrls: [PHOTO], ...given }));
const about = (message: string) => [{ path: 'text', message }];

describe('what Instagram takes', () => {
  it('is at least one photo or video, with or without words', () => {
    expect(problems({})).toEqual([]);
    expect(problems({ text: 'hello', mediaUrls: [] })).toEqual([
      { path: 'mediaUrls', message: 'Instagram takes no post without a photo or video' },
    ]);
  });

  it('is at most 2,200 characters, the link included', () => {
    expect(problems({ text: '🥖'.repeat(2200) })).toEqual([]);
    expect(problems({ text: '🥖'.repeat(2212) })).toEqual(
      about('text is 2212 characters, 12 more than Instagram takes'),
    );
    expect(problems({ text: 'a'.repeat(2190), link: 'https://a.example/' })).toEqual(
      about('text and link are 2210 characters, 10 more than Instagram takes'),
    );
    expect(problems({ text: `${'a'.repeat(2180)} https://a.example/`, link: 'https://a.example/' })).toEqual([]);
  });

  it('is at most 30 hashtags', () => {
    const tags = (count: number) => Array.from({ length: count }, (_, at) => `#brötchen${at}`).join(' ');
    expect(problems({ text: tags(30) })).toEqual([]);
    expect(problems({ text: tags(33) })).toEqual(about('text has 33 hashtags, 3 more than Instagram takes'));
    expect(problems({ text: `${tags(30)} # a#b &#39; C#` })).toEqual([]);
  });

  it('is at most 20 mentions', () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `@baker.${at}`).join(' ');
    expect(problems({ text: `${names(20)} info@bakery.example` })).toEqual([]);
    expect(problems({ text: names(21) })).toEqual(about('text mentions 21 accounts, 1 more than Instagram takes'));
  });

  it('is at most ten media', () => {
    expect(problems({ mediaUrls: Array(10).fill(PHOTO) })).toEqual([]);
    expect(problems({ mediaUrls: Array(12).fill(PHOTO) })).toEqual([
      { path: 'mediaUrls', message: 'there are 12 media, 2 more than Instagram takes' },
    ]);
  });

  it('is JPEG, MP4 and MOV, as far as the address tells', () => {
    const good = [
      'https://f.example/a.JPEG?x=.png',
      'https://f.example/b.mov',
      'https://f.example/c',
      'https://f.example/d.php',
    ];
    expect(problems({ mediaUrls: good })).toEqual([]);
    expect(problems({ mediaUrls: [PHOTO, 'https://f.example/a.png', 'https://f.example/a.webm'] })).toEqual([
      { path: 'mediaUrls.1', message: 'Instagram takes JPEG photos, MP4 and MOV videos, but no .png' },
      { path: 'mediaUrls.2', message: 'Instagram takes JPEG photos, MP4 and MOV videos, but no .webm' },
    ]);
  });
});
