import { expect, it } from 'vitest';
import { excerpt } from './excerpt';

it('is the text of a post, without its tags', () => {
  expect(excerpt('<p>Water <b>finds</b>, its <i>way</i>.</p><img src="x" alt="no"><p>Always</p>')).toBe(
    'Water finds, its way. Always',
  );
});

it('reads what was escaped', () => {
  expect(excerpt('Salt &#x26; &quot;bread&quot; &#60;b&#62; &unknown; &#x110000;')).toBe(
    'Salt & "bread" <b> &unknown; &#x110000;',
  );
});

it('ends where a line does, whatever the length of the post', () => {
  const long = excerpt(`<p>${'word '.repeat(5_000)}<a href="`);
  expect(long).toHaveLength(200);
  expect(long.endsWith('word…')).toBe(true);
});

it('is empty for a post without words', () => {
  expect(excerpt('<p><img src="x"></p>')).toBe('');
});
