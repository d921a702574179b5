import { expect, it } from 'vitest';
import { companiesOf } from './companies.js';

it('makes companies up: each with a domain that nobody can own and a number that rings nowhere', () => {
  const companies = companiesOf(1);
  expect(new Set(companies.map(({ domain }) => domain)).size).toBe(companies.length);
  expect(companies.filter(({ domain }) => !/^[a-z-]+\.example$/.test(domain))).toEqual([]);
  expect(companies.filter(({ phone }) => !/^\+44 1632 960\d{3}$/.test(phone))).toEqual([]);
  expect(companiesOf(1)).toEqual(companies);
  expect(companiesOf(2)).not.toEqual(companies);
});
