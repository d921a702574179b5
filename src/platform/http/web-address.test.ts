import { describe, expect, it } from 'vitest';
import { parseWebAddress, spelledOrigin } from './web-address.js';

describe('a web address', () => {
  it('hands over its user and password as an Authorization header, and shows them nowhere else', () => {
    const address = parseWebAddress('https://ann%40x:p%C3%A4ss%zz@a.example/feed');
    expect(address?.url.href).toBe('https://a.example/feed');
    expect(address?.authorization).toBe(`Basic ${Buffer.from('ann@x:päss%zz').toString('base64')}`);
  });

  it.each(['', 'a.example', '/feed', 'ftp://a.example', 'javascript:alert(1)', 'http://', 'http://a b/'])(
    'is not %j',
    (text) => expect(parseWebAddress(text)).toBeUndefined(),
  );
});

describe('the origin as spelled', () => {
  it.each([
    ['http://0x7f.1/x?token=1', 'http://0x7f.1'],
    ['https://user:p@ss@a.example:8443/x', 'https://a.example:8443'],
    ['HTTP://A.example#x', 'HTTP://A.example'],
  ])('of %s is %s', (text, origin) => expect(spelledOrigin(text)).toBe(origin));

  it('is unknown in the odd spellings that browsers also take', () => {
    expect(spelledOrigin('http:\\\\a.example')).toBeUndefined();
  });
});
