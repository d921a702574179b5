import { describe, expect, it } from 'vitest';
import { regainsAccessAt } from './graph-usage.js';

const NOW = new Date('2030-01-01T00:00:00Z');
const told = (usage: unknown) => {
  const header = typeof usage === 'string' ? usage : JSON.stringify(usage);
  return regainsAccessAt({ 'x-business-use-case-usage': header }, NOW)?.toISOString();
};
const use = (minutes: unknown) => ({ type: 'pages', call_count: 100, estimated_time_to_regain_access: minutes });

describe('what the Graph API tells about calls that are used up', () => {
  it('is the latest of the moments at which they may go on', () => {
    expect(told({ 1: [use(3), use(12)], 2: [use(0)] })).toBe('2030-01-01T00:12:00.000Z');
  });

  it('is nothing while calls are left', () => {
    expect(told({ 1: [use(0)] })).toBeUndefined();
    expect(told({ 1: [{ type: 'pages', call_count: 28 }] })).toBeUndefined();
    expect(regainsAccessAt({}, NOW)).toBeUndefined();
  });

  it('is at most a day', () => {
    expect(told({ 1: [use(1e12)] })).toBe('2030-01-02T00:00:00.000Z');
  });

  it('is nothing if it cannot be read', () => {
    for (const usage of ['{', '[]', '7', 'null', { 1: 7 }, { 1: [use('soon')] }, { 1: [use(-5)] }]) {
      expect(told(usage)).toBeUndefined();
    }
  });
});
