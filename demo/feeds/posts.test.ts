import { describe, expect, it } from 'vitest';
import { postCount } from './post-times.js';
import { pageOfPosts, postOf } from './posts.js';
import type { Publication } from './publication.js';
import { PUBLICATIONS } from './publications.js';

const startedAt = new Date('2030-05-01T12:00:00Z');
const age = { seed: 1, startedAt };
const later = (seconds: number) => new Date(startedAt.getTime() + seconds * 1_000);
const named = (slug: string) => PUBLICATIONS.find((one) => one.slug === slug) as Publication;
const newest = (publication: Publication, now: Date, seed = 1) =>
  pageOfPosts(publication, { ...age, seed }, { now, page: 1, size: 20 }).posts;

describe('the world', () => {
  it('has thirty publications with names of their own', () => {
    expect(PUBLICATIONS).toHaveLength(30);
    expect(new Set(PUBLICATIONS.map(({ slug }) => slug)).size).toBe(30);
    expect(new Set(PUBLICATIONS.map(({ title }) => title)).size).toBe(30);
  });

  it('is the same for the same seed, and another for another', () => {
    for (const publication of PUBLICATIONS) {
      const posts = newest(publication, later(90));
      expect(newest(publication, later(90))).toEqual(posts);
      expect(newest(publication, later(90), 2)).not.toEqual(posts);
    }
  });

  it('tells nothing twice, and leaves no gap in what it tells', () => {
    for (const publication of PUBLICATIONS) {
      const posts = Array.from({ length: 60 }, (_, at) => postOf(publication, at + 1, age));
      expect(new Set(posts.map(({ paragraphs }) => paragraphs.join('\n'))).size).toBe(60);
      expect(posts.filter(({ title, paragraphs }) => /[{}]/.test(title + paragraphs.join('')))).toEqual([]);
      expect(posts.filter(({ paragraphs }) => paragraphs.length < 2 || paragraphs.length > 4)).toEqual([]);
    }
  });

  it('keeps what was published as it was when more comes', () => {
    const weather = named('harbour-weather');
    const [first] = newest(weather, later(0));
    expect(newest(weather, later(60)).find(({ number }) => number === first?.number)).toEqual(first);
  });
});

describe('a publication', () => {
  it('has its past at once, newest first, and nothing from the future', () => {
    for (const publication of PUBLICATIONS) {
      expect(postCount(publication, age, startedAt)).toBe(publication.past.posts);
      const times = newest(publication, later(45)).map(({ publishedAt }) => publishedAt.getTime());
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      expect(Math.max(...times)).toBeLessThanOrEqual(later(45).getTime());
    }
  });

  it('posts at its rhythm', () => {
    const since = (slug: string, seconds: number) => {
      const publication = named(slug);
      return postCount(publication, age, later(seconds)) - publication.past.posts;
    };
    expect(since('harbour-weather', 700)).toBeGreaterThanOrEqual(99);
    expect(since('harbour-weather', 700)).toBeLessThanOrEqual(101);
    expect(since('chess-club', 14)).toBe(0);
    expect(since('chess-club', 30)).toBe(5);
    expect(since('brass-band', 86_400)).toBe(0);
  });

  it('has pages down to its first post', () => {
    const { past } = named('ellery-gazette');
    const pages = [1, 2, 3, 4].map((page) =>
      pageOfPosts(named('ellery-gazette'), age, { now: startedAt, page, size: 20 }),
    );
    const numbers = pages.flatMap(({ posts }) => posts.map(({ number }) => number));
    expect(numbers).toEqual(Array.from({ length: past.posts }, (_, at) => past.posts - at));
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false, false]);
  });
});
