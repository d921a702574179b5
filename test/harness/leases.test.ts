import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { takeLease, waitForLease } from './leases.js';

describe('leases', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-leases-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('give each name to one taker at a time', () => {
    const [first, second] = [takeLease(folder, ['a', 'b']), takeLease(folder, ['a', 'b'])];
    expect([first.name, second.name]).toEqual(['a', 'b']);
    expect(() => takeLease(folder, ['a', 'b'])).toThrow('all 2 places');
    first.release();
    expect(takeLease(folder, ['a', 'b']).name).toBe('a');
  });

  it('come to who waits when they are given back', async () => {
    const taken = takeLease(folder, ['only']);
    const waiting = waitForLease(folder, ['only']);
    taken.release();
    expect((await waiting).name).toBe('only');
  });
});
