import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../test/program/seeded-random.js';
import { Addresses } from './tidy-html.js';

const BASE = 'https://base.example/x/';
const HOSTS = [
  '',
  'a.example',
  'sub.a-b.example',
  'A.example',
  'xn--a.example',
  '1.2',
  'localhost',
  'a.b.0x1',
  'a.123',
];
const PIECES = 'a b 1 - . .. / / // ? & = # %2e %2E % ~ _ , + -- @ : \\ \' " ü * | ^ { .a a. ;'.split(' ').concat(' ');

function hrefOf(address: string): string | undefined {
  try {
    return new URL(address, BASE).href;
  } catch {
    return undefined;
  }
}

describe('Addresses', () => {
  it('writes addresses as the URL parser does', () => {
    const random = seededRandom(3);
    const one = (of: string[]) => of[Math.floor(random() * of.length)];
    let kept = 0;
    for (let trial = 0; trial < 50_000; trial++) {
      const path = Array.from({ length: Math.floor(random() * 7) }, () => one(PIECES)).join('');
      const address = `${one(['https://', 'http://'])}${one(HOSTS)}${one(['', '/'])}${path}`;
      const expected = hrefOf(address);
      const made = new Addresses(BASE).absolute(address, ['http:', 'https:']);
      if (made !== expected) expect(made, address).toBe(expected);
      if (made === address) kept += 1;
    }
    expect(kept).toBeGreaterThan(2_000);
  });
});
