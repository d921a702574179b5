import { expect, it } from 'vitest';
import { downloadAddress, leadQuery, NO_FILTERS } from './lead-filters';

it('asks only for what was filtered by', () => {
  expect(leadQuery(NO_FILTERS)).toEqual({});
  expect(leadQuery({ q: ' rye ', sourceType: 'web', country: 'de', onlyNew: true })).toEqual({
    q: 'rye',
    source_type: 'web',
    country: 'DE',
    duplicates: 'false',
  });
});

it('does not filter by half a country', () => {
  expect(leadQuery({ ...NO_FILTERS, country: 'd' })).toEqual({});
});

it('downloads what is shown', () => {
  const filters = { ...NO_FILTERS, q: 'a&b', onlyNew: true };
  expect(downloadAddress(filters, 'csv', 'job/1')).toBe(
    '/api/v1/jobs/scrape/job%2F1/leads?format=csv&q=a%26b&duplicates=false',
  );
  expect(downloadAddress(filters, 'jsonl')).toBe('/api/v1/leads?format=jsonl&q=a%26b');
});
