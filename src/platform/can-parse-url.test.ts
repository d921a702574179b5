import { expect, it } from 'vitest';
import { canParseUrl } from './can-parse-url.js';

it('knows an international name also after it was asked a hundred thousand times', () => {
  for (let time = 0; time < 100_000; time++) canParseUrl(`https://example.org/${time % 100}`);
  expect(canParseUrl('https://bücher.example/')).toBe(true);
  expect(canParseUrl('/ü', 'https://bücher.example/')).toBe(true);
  expect(canParseUrl('bücher')).toBe(false);
});
