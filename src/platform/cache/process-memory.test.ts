import { expect, it } from 'vitest';
import { ProcessMemory } from './process-memory.js';

const ofBytes = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
const kept = (memory: ProcessMemory, keys: string[]) => keys.filter((key) => memory.get(key) !== undefined);

it('holds no more than its bytes, and lets go first of what was not used longest', () => {
  const memory = new ProcessMemory({ bytes: 300, entryBytes: 300 });
  for (const key of ['a', 'b', 'c']) memory.set(key, ofBytes(100));
  memory.get('a');
  memory.set('d', ofBytes(150));
  expect(kept(memory, ['a', 'b', 'c', 'd'])).toEqual(['a', 'd']);
});

it('counts a value that is replaced or deleted once', () => {
  const memory = new ProcessMemory({ bytes: 300, entryBytes: 300 });
  for (let time = 0; time < 10; time++) memory.set('a', ofBytes(100));
  memory.set('b', ofBytes(100));
  memory.delete('b');
  memory.delete('b');
  memory.set('c', ofBytes(200));
  expect(kept(memory, ['a', 'b', 'c'])).toEqual(['a', 'c']);
});

it('does not keep a value that is too large, nor the one that it should have replaced', () => {
  const memory = new ProcessMemory({ bytes: 300, entryBytes: 100 });
  memory.set('a', ofBytes(100));
  expect(memory.set('a', ofBytes(101))).toBe(false);
  expect(memory.get('a')).toBeUndefined();
});

it('gives back what it was given, and text as what it says', () => {
  const memory = new ProcessMemory({ bytes: 300, entryBytes: 300 });
  const value = ofBytes(50);
  memory.set('a', value);
  memory.set('b', JSON.stringify(value));
  expect(memory.get('a')).toBe(value);
  expect(memory.get('b')).toEqual(value);
});
