import { expect, it } from 'vitest';
import { countGraphemes } from './count-graphemes.js';

const FAMILY = '👨‍👩‍👧‍👦';

it.each([
  ['', 0],
  ['abc', 3],
  ['a\r\nb', 3],
  ['e\u0301', 1],
  [FAMILY, 1],
  ['🇩🇪🇫🇷', 2],
  ['\ud800x', 2],
])('counts %j as %i', (text, count) => {
  expect(countGraphemes(text)).toBe(count);
});

it('counts long texts as the sum of their characters, wherever they are cut', () => {
  for (let lead = 0; lead < 30; lead += 1) {
    expect(countGraphemes('x'.repeat(lead) + `${FAMILY}e\u0301🇩🇪𝅘\u{1d165}`.repeat(500))).toBe(lead + 2_000);
  }
});

it('counts one character that is longer than a piece', () => {
  expect(countGraphemes(`a${'\u0301'.repeat(5_000)}b`)).toBe(2);
});
