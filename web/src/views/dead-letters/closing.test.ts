import { expect, it } from 'vitest';
import { byReason, closedText } from './closing';

const refused = (...ids: string[]) => ids.map((id) => ({ id, why: 'it is gone' }));

it('tells what was done, and that something was refused', () => {
  expect(closedText({ act: 'replay', done: 3, refused: [] })).toBe('3 dead letters were replayed.');
  expect(closedText({ act: 'discard', done: 1, refused: [] })).toBe('1 dead letter was discarded.');
  expect(closedText({ act: 'replay', done: 3, refused: refused('7') })).toBe(
    '3 dead letters were replayed, 1 was refused.',
  );
  expect(closedText({ act: 'replay', done: 0, refused: refused('7', '8') })).toBe('2 dead letters were refused.');
});

it('says so when somebody else was faster', () => {
  expect(closedText({ act: 'discard', done: 0, refused: [] })).toBe('No dead letters were left to be discarded.');
});

it('names each reason once, with the letters it is about', () => {
  expect(byReason([...refused('7', '8'), { id: '9', why: 'its data is outdated' }])).toEqual([
    ['it is gone', ['7', '8']],
    ['its data is outdated', ['9']],
  ]);
});
