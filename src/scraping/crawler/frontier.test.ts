import { expect, it } from 'vitest';
import { Frontier } from './frontier.js';

const at = (path: string) => new URL(path, 'https://acme.de');
const links = (...paths: string[]) => paths.map((path) => ({ url: at(path).href }));

function drain(frontier: Frontier): string[] {
  const paths: string[] = [];
  for (let next = frontier.next(); next; next = frontier.next()) paths.push(next.url.pathname + next.url.search);
  return paths;
}

it('gives the start, then the most promising pages, near ones first', () => {
  const frontier = new Frontier('acme.de');
  frontier.add(links('/team'), 2);
  frontier.add(links('/x', '/about', '/kontakt', '/impressum'), 1);
  frontier.start([at('/landing?sort=up'), at('/')]);
  expect(drain(frontier)).toEqual(['/', '/landing?sort=up', '/impressum', '/kontakt', '/about', '/team', '/x']);
});

it('gives each page once, and only those of the site that are near enough', () => {
  const frontier = new Frontier('acme.de');
  frontier.add(links('/a', '/a/', '/a#x', 'https://www.acme.de/a', '/b?utm_source=x', '/b'), 1);
  frontier.add(links('https://other.de/', 'https://acme.de.evil.com/', 'https://shop.acme.de/c'), 1);
  frontier.add(links('/deep'), 2);
  frontier.add(links('/too/deep'), 3);
  expect(drain(frontier)).toEqual(['/a', '/b', '/c', '/deep']);
});

it('gives no page where a redirect has led already', () => {
  const frontier = new Frontier('acme.de');
  frontier.add(links('/old', '/new'), 1);
  frontier.next();
  expect(frontier.arriveAt(at('/new'))).toBe(true);
  expect(frontier.arriveAt(at('/new/'))).toBe(false);
  expect(frontier.next()).toBeUndefined();
});

it('accepts better pages however many others there are', () => {
  const frontier = new Frontier('acme.de');
  frontier.add(links(...Array.from({ length: 10_000 }, (_, n) => `/p${n}`), '/impressum'), 1);
  const paths = drain(frontier);
  expect(paths[0]).toBe('/impressum');
  expect(paths.length).toBeLessThan(1_000);
});
