import { describe, expect, it } from 'vitest';
import { retryAfter } from './retry-after.js';

const now = new Date('2026-03-01T12:00:00Z');
const at = (header?: string) => retryAfter(header, now)?.toISOString();

describe('Retry-After', () => {
  it('counts seconds from now', () => expect(at('120')).toBe('2026-03-01T12:02:00.000Z'));
  it('takes zero seconds as now', () => expect(at('0')).toBe(now.toISOString()));
  it('takes an HTTP date', () => expect(at('Sun, 01 Mar 2026 12:30:00 GMT')).toBe('2026-03-01T12:30:00.000Z'));
  it('takes the two older date forms, in GMT', () => {
    expect(at('Sunday, 01-Mar-26 12:30:00 GMT')).toBe('2026-03-01T12:30:00.000Z');
    expect(at('Sun Mar  1 12:30:00 2026')).toBe('2026-03-01T12:30:00.000Z');
  });
  it('is never in the past', () => expect(at('Sun, 01 Mar 2020 12:30:00 GMT')).toBe(now.toISOString()));
  it('is never more than a day away', () => {
    expect(at('99999999999999999999')).toBe('2026-03-02T12:00:00.000Z');
    expect(at('Sun, 01 Mar 2099 12:30:00 GMT')).toBe('2026-03-02T12:00:00.000Z');
  });
  it.each([undefined, '', 'soon', '-5', '1.5', '2026-03-01', 'Sunday, whenever'])('ignores %j', (header) => {
    expect(at(header)).toBeUndefined();
  });
});
