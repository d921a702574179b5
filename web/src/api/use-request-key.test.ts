import { expect, it } from 'vitest';
import { keyed } from './use-request-key';

it('gives the same request the same key, and another request another one', () => {
  let made = 0;
  const newKey = () => `key ${++made}`;
  const first = keyed(undefined, '{"text":"a"}', newKey);
  expect(keyed(first, '{"text":"a"}', newKey).key).toBe('key 1');
  expect(keyed(first, '{"text":"b"}', newKey).key).toBe('key 2');
});
