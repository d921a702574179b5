import { describe, expect, it } from 'vitest';
import { fieldQuery, fieldTerms, MAX_VALUE_LENGTH } from './field-terms.js';

/** Compares terms as the database does. */
function finds(fields: Record<string, string | string[]>, name: string, value: string): boolean {
  const query = fieldQuery(name, value);
  const terms = fieldTerms(fields);
  return 'term' in query ? terms.includes(query.term) : terms.some((term) => term.startsWith(query.beginning));
}

describe('a field', () => {
  it('is found by its value, whatever the case and the space around it', () => {
    expect(fieldTerms({ location: ' Berlin ' })).toEqual(['location=berlin']);
    expect(finds({ location: ' BERLIN' }, 'location', 'berlin ')).toBe(true);
    expect(finds({ city: 'ÉVRY' }, 'city', 'e\u0301vry')).toBe(true);
  });

  it('is not found by part of its value, nor by the value of another', () => {
    expect(finds({ location: 'Berlin' }, 'location', 'Ber')).toBe(false);
    expect(finds({ location: 'Berlin', company: 'Acme' }, 'company', 'Berlin')).toBe(false);
    expect(finds({ location: 'a=b' }, 'location', 'a')).toBe(false);
  });

  it('is found by any of its values, each kept once', () => {
    expect(fieldTerms({ category: ['Tools', 'tools ', 'Wood'] })).toEqual(['category=tools', 'category=wood']);
    expect(finds({ category: ['Tools', 'Wood'] }, 'category', 'wood')).toBe(true);
  });

  it('is found by its beginning with an asterisk, and by an asterisk alone if it is there', () => {
    expect(finds({ location: 'Berlin, Germany' }, 'location', 'berlin*')).toBe(true);
    expect(finds({ location: 'New York' }, 'location', ' new *')).toBe(true);
    expect(finds({ location: 'Newark' }, 'location', 'new *')).toBe(false);
    expect(finds({ location: 'Bonn' }, 'location', '*')).toBe(true);
    expect(finds({ company: 'Bonn' }, 'location', '*')).toBe(false);
  });

  it('of great length fits into the index, and is found by its beginning only', () => {
    const [term = ''] = fieldTerms({ about: '€'.repeat(2_000) });
    expect(Buffer.byteLength(term)).toBeLessThan(2_700);
    expect(finds({ about: '€'.repeat(2_000) }, 'about', '€'.repeat(MAX_VALUE_LENGTH))).toBe(false);
    expect(finds({ about: '€'.repeat(2_000) }, 'about', `${'€'.repeat(MAX_VALUE_LENGTH)}*`)).toBe(true);
    expect(finds({ about: '€'.repeat(MAX_VALUE_LENGTH) }, 'about', '€'.repeat(MAX_VALUE_LENGTH))).toBe(true);
  });

  it('with characters that PostgreSQL cannot store is found without them', () => {
    expect(fieldTerms({ a: 'x\0y', b: '\ud800' })).toEqual(['a=xy', 'b=\ufffd']);
  });
});
