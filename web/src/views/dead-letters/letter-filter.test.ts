import { expect, it } from 'vitest';
import { describeAll, filterFrom, fitting, paramsOf } from './letter-filter';

const read = (search: string) => filterFrom(new URLSearchParams(search));

it('shows open letters unless the address says otherwise', () => {
  expect(read('')).toEqual({ state: 'open', queue: '', reason: '' });
  expect(read('state=nonsense').state).toBe('open');
});

it('comes back from the address as it went in', () => {
  const filter = { state: 'discarded' as const, queue: 'import-feed', reason: 'answered 404 & more' };
  expect(read(new URLSearchParams(paramsOf(filter)).toString())).toEqual(filter);
});

it('leaves what goes without saying out of the address', () => {
  expect(paramsOf(read(''))).toEqual({});
});

it('asks the API only for what is filled in', () => {
  expect(fitting(read('queue=import-feed'))).toEqual({ queue: 'import-feed' });
});

it('says in words which letters a filter means, and how many if that is known', () => {
  expect(describeAll(read('queue=import-feed&reason=404'), 27)).toBe(
    'all 27 open dead letters of the queue import-feed whose reason contains “404”',
  );
  expect(describeAll(read(''), undefined)).toBe('all open dead letters');
  expect(describeAll(read(''), 1)).toBe('the only open dead letter');
});
