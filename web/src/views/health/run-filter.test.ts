import { expect, it } from 'vitest';
import { filterFrom, fitting, paramsOf } from './run-filter';

it('shows work that failed, whether its run did or not, unless something else is asked for', () => {
  expect(filterFrom(new URLSearchParams(''))).toEqual({ show: 'failed', queue: '' });
  expect(filterFrom(new URLSearchParams('runs=nonsense'))).toEqual({ show: 'failed', queue: '' });
  expect(fitting({ show: 'failed', queue: '' })).toEqual({ failed: 'true' });
});

it('finds in the address what it has put there', () => {
  const filter = { show: 'all', queue: 'fetch-rss' } as const;
  expect(filterFrom(new URLSearchParams(paramsOf(filter)))).toEqual(filter);
  expect(fitting(filter)).toEqual({ queue: 'fetch-rss' });
  expect(paramsOf({ show: 'failed', queue: '' })).toEqual({});
});
