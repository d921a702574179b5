import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../tools/corpus/damage.js';
import { webAddress } from './addresses.js';

const PARTS = (
  'http:// https:// HTTP:// ftp:// // / // . .. /./ /../ ? # :80 : @ a:b@ a.example A.Example a-b.example -a.example a--b.example ' +
  'xn--a.example xn--mnchen-3ya.de 127.1 1.2.3.4 a ü %41 %2e %2E%2e % ~x \' " < | [ \\ x=1 &y _ $ * ; \t'
)
  .split(' ')
  .concat('b c');

describe('webAddress', () => {
  it('gives each address as it is parsed', () => {
    const random = seededRandom(1);
    const part = () => PARTS[Math.floor(random() * PARTS.length)];
    for (let count = 0; count < 20_000; count++) {
      const start = random() < 0.8 ? 'https://site.example/' : '';
      const text = start + Array.from({ length: 1 + Math.floor(random() * 5) }, part).join('');
      expect([text, webAddress(text, 'https://base.example/x/')]).toEqual([text, parsed(text)]);
    }
  });
});

function parsed(text: string): string | undefined {
  try {
    const { protocol, href } = new URL(text.trim(), 'https://base.example/x/');
    return text.trim() && /^https?:$/.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}
