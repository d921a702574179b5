import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { isSigned } from './is-signed.js';

const body = Buffer.from('<rss/>');
const digest = (method: string, secret = 'secret') => createHmac(method, secret).update(body).digest('hex');

it.each(['sha1', 'sha256', 'sha384', 'sha512'])('a body signed by %s is who the secret was given to', (method) => {
  expect(isSigned(body, 'secret', `${method}=${digest(method)}`)).toBe(true);
  expect(isSigned(body, 'secret', `${method.toUpperCase()}=${digest(method).toUpperCase()}`)).toBe(true);
});

it.each([
  undefined,
  '',
  digest('sha256'),
  `sha256=${digest('sha256', 'another secret')}`,
  `sha256=${digest('sha256').slice(2)}`,
  `sha256=${digest('sha1')}`,
  `md5=${digest('md5')}`,
  'sha256=',
])('one signed as "%s" is not', (signature) => {
  expect(isSigned(body, 'secret', signature)).toBe(false);
});

it('another body under the same signature is not', () => {
  expect(isSigned(Buffer.from('<rss />'), 'secret', `sha256=${digest('sha256')}`)).toBe(false);
});
