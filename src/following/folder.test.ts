import { expect, it } from 'vitest';
import { Folder, folderOf } from './folder.js';

it('is names parted by single slashes', () => {
  expect(Folder.parse(' News / Tech/ ')).toBe('News/Tech');
  for (const text of ['', ' / ', 'a/'.repeat(21), 'x'.repeat(501), '\0']) {
    expect(Folder.safeParse(text).success, text).toBe(false);
  }
});

it('made of too many or too long names stays within what a folder can be', () => {
  expect(folderOf(['A/B', '', ' C '])).toBe('A/B/C');
  expect(folderOf([])).toBeUndefined();
  for (const names of [Array(300).fill('a'), ['x', 'y'.repeat(600)], [`${'z'.repeat(499)}`, 'b']]) {
    expect(Folder.safeParse(folderOf(names)).success).toBe(true);
  }
});
