import { describe, expect, it } from 'vitest';
import { type Column, facts, table } from './table.js';
import { displayWidth } from './text.js';

interface Row {
  id: number;
  title: string | null;
  url?: string;
}

const COLUMNS: Column<Row>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'TITLE', show: ({ title }) => title, truncates: true },
  { title: 'ADDRESS', show: ({ url }) => url, optional: true },
];
const shown = (rows: Row[], width?: number) =>
  table(COLUMNS, rows, { out: () => undefined, err: () => undefined, colours: false, width }).split('\n');

describe('a table', () => {
  it('is aligned, numbers to the right, and has a dash where there is nothing', () => {
    const rows = [
      { id: 7, title: 'Long ago', url: 'http://a' },
      { id: 1234, title: null },
    ];
    expect(shown(rows)).toEqual(['  ID  TITLE     ADDRESS', '   7  Long ago  http://a', '1234  –         –', '']);
  });

  it('is as wide as it needs to be where there is no terminal', () => {
    expect(shown([{ id: 1, title: 'x'.repeat(500) }])[1]).toBe(` 1  ${'x'.repeat(500)}  –`);
  });

  it('is never wider than the terminal: optional columns go first, then the widest is truncated', () => {
    const rows = [{ id: 1, title: 'A title of thirty characters…', url: 'http://example.org' }];
    expect(shown(rows, 60)[1]).toBe(' 1  A title of thirty characters…  http://example.org');
    expect(shown(rows, 40)).toEqual(['ID  TITLE', ' 1  A title of thirty characters…', '']);
    expect(shown(rows, 20)[1]).toBe(' 1  A title of thir…');
  });

  it('has no empty optional column on a terminal', () => {
    expect(shown([{ id: 1, title: 'A title' }], 60)).toEqual(['ID  TITLE', ' 1  A title', '']);
  });

  it('counts characters that take two columns as two', () => {
    const rows = [
      { id: 1, title: '日本語の題', url: 'x' },
      { id: 2, title: 'abcdefghij', url: 'y' },
    ];
    const [, first = '', second = ''] = shown(rows);
    expect(displayWidth(first)).toBe(displayWidth(second));
    expect(shown(rows, 12)[1]).toBe(' 1  日本語…');
  });

  it('passes on no control characters', () => {
    const [, line] = shown([{ id: 1, title: 'red\u001b[31m\u0007\r\nand \u202eback' }]);
    expect(line).toBe(' 1  red [31m and back  –');
  });

  it('leaves facts out that are not known', () => {
    expect(
      facts([
        ['name', 'x'],
        ['error', null],
        ['attempts', 0],
      ]),
    ).toBe('name      x\nattempts  0\n');
  });
});
