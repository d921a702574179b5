import { describe, expect, it } from 'vitest';
import { plannedPosts } from './post-plan.js';

const MINUTE = 60_000;
const toPage = (from: number, until: number) =>
  plannedPosts(1, from, until).filter(({ account }) => account === 'page');

describe('what is published', () => {
  it('is the same for the same seed', () => {
    expect(plannedPosts(1, 0, MINUTE)).toEqual(plannedPosts(1, 0, MINUTE));
    expect(plannedPosts(1, 0, MINUTE)).not.toEqual(plannedPosts(2, 0, MINUTE));
  });

  it('is the same whether it is planned at once or bit by bit', () => {
    const bits = Array.from({ length: 30 }, (_, at) => plannedPosts(1, at * 7_000, (at + 1) * 7_000)).flat();
    const byTime = (posts: { offsetMs: number }[]) => posts.toSorted((a, b) => a.offsetMs - b.offsetMs);
    expect(byTime(bits)).toEqual(byTime(plannedPosts(1, 0, 210_000)));
  });

  it('is never the same twice', () => {
    const texts = plannedPosts(1, 0, 60 * MINUTE).map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(500);
  });

  it('is more than there is room for at first, and less in the long run', () => {
    expect(toPage(0, MINUTE).length).toBeGreaterThan(4);
    expect(toPage(0, 10 * MINUTE).length).toBeLessThan(10 * 4);
  });

  it('goes on, more quietly, however long the demo runs', () => {
    const dayLater = 24 * 60 * MINUTE;
    const perHour = plannedPosts(1, dayLater, dayLater + 60 * MINUTE).length;
    expect(perHour).toBeGreaterThan(60);
    expect(perHour).toBeLessThan(240);
  });
});
