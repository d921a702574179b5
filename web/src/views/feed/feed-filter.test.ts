import { describe, expect, it } from 'vitest';
import { aPost } from './a-post.fixture';
import { belongs, feedAddress, feedQuery, filterOf } from './feed-filter';

describe('the address of the feed', () => {
  it('says what the list is narrowed to, and is read back the same', () => {
    const filter = { show: 'unread', folder: 'News/Local', q: 'low tide' } as const;
    const address = feedAddress(filter, '12');
    expect(address).toBe('/feed/12?show=unread&folder=News%2FLocal&q=low+tide');
    expect(filterOf(address.split('?')[1] ?? '')).toEqual(filter);
  });

  it('is short when nothing is narrowed, and ignores what it does not know', () => {
    expect(feedAddress({ show: 'all' })).toBe('/feed');
    expect(filterOf('show=everything&source=&q=%20')).toEqual({ show: 'all' });
  });

  it('asks the server for what it says', () => {
    expect(feedQuery(filterOf('show=starred&source=3'))).toEqual({ starred: 'true', source: '3' });
  });
});

describe('a new post', () => {
  const folders = new Map([['1', 'News/Local']]);
  const fits = (search: string, post = aPost({ sourceId: '1' })) => belongs(post, filterOf(search), folders);

  it('belongs to its source, its folder and the folders around it', () => {
    expect(['', 'source=1', 'folder=News', 'folder=News/Local', 'show=unread'].map((search) => fits(search))).toEqual(
      Array(5).fill(true),
    );
  });

  it('belongs neither to others, nor to a folder that only begins alike', () => {
    expect(['source=2', 'folder=New', 'folder=News/Local/Far', 'show=starred'].map((search) => fits(search))).toEqual(
      Array(4).fill(false),
    );
  });

  it('is not guessed into the results of a search', () => {
    expect(fits('q=note')).toBe(false);
  });

  it('is not shown among the unread once it was read elsewhere', () => {
    expect(fits('show=unread', aPost({ sourceId: '1', read: true }))).toBe(false);
  });
});
