import { expect, it } from 'vitest';
import { Problem } from '../../../api/problem';
import { refusalsIn } from './refusals';

const problem = (...errors: { path: string; message: string }[]) => new Problem('refused', { errors });

it('puts what a platform refuses by its account and by the field', () => {
  const refusals = refusalsIn(problem({ path: 'accounts.1.content.text', message: 'too long' }), ['7', '9']);
  expect(refusals.ofAccount('9')).toEqual(['too long']);
  expect(refusals.ofAccount('7')).toEqual([]);
  expect(refusals.ofField('text')).toBe('too long');
});

it('says once what several accounts refuse', () => {
  const refusals = refusalsIn(
    problem(
      { path: 'accounts.0.content.text', message: 'nothing to send (account 7, News (old))' },
      { path: 'accounts.1.content.text', message: 'nothing to send (account 9, Blog)' },
    ),
    ['7', '9'],
  );
  expect(refusals.ofField('text')).toBe('nothing to send');
  expect(refusals.ofAccount('7')).toEqual(['nothing to send']);
});

it('finds what is wrong with one of several files', () => {
  const refusals = refusalsIn(problem({ path: 'content.mediaUrls.2', message: 'is missing' }), ['1']);
  expect(refusals.ofField('mediaUrls')).toBe('is missing');
});

it('puts a broken account by itself', () => {
  const refusals = refusalsIn(problem({ path: 'accountIds.0', message: 'does not work' }), ['4']);
  expect(refusals.ofAccount('4')).toEqual(['does not work']);
  expect(refusals.ofField('text')).toBeUndefined();
});

it('tells nothing of other errors', () => {
  expect(refusalsIn(new Error('no'), ['1']).ofField('text')).toBeUndefined();
});
