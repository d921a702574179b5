import { describe, expect, it } from 'vitest';
import { orAborted, withTimeout } from './with-timeout.js';

const never = new Promise<string>(() => undefined);

describe('a promise with a timeout', () => {
  it('settles as it would without one', async () => {
    await expect(withTimeout(Promise.resolve('done'), 1_000)).resolves.toBe('done');
    await expect(withTimeout(Promise.reject(new Error('broken')), 1_000, () => 'late')).rejects.toThrow('broken');
  });

  it('fails if it takes longer', () => expect(withTimeout(never, 10)).rejects.toThrow('no answer within 0.01 seconds'));

  it('or gives what is to be used then', async () => {
    await expect(withTimeout(never, 10, () => 'late')).resolves.toBe('late');
    await expect(withTimeout(never, 10, () => Promise.reject(new Error('too late')))).rejects.toThrow('too late');
  });

  it('counts an answer that arrived while the process was blocked', async () => {
    const answer = new Promise<string>((resolve) => setImmediate(resolve, 'answered'));
    const waiting = withTimeout(answer, 1);
    for (const until = performance.now() + 20; performance.now() < until; );
    await expect(waiting).resolves.toBe('answered');
  });
});

describe('a promise with a signal', () => {
  it('settles as it would without one', async () => {
    const { signal } = new AbortController();
    await expect(orAborted(Promise.resolve('done'), signal)).resolves.toBe('done');
    await expect(orAborted(Promise.reject(new Error('broken')), signal, () => 'ended')).rejects.toThrow('broken');
  });

  it('fails with the reason when the signal aborts, also if it did before', async () => {
    const controller = new AbortController();
    const waiting = orAborted(never, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(orAborted(never, controller.signal)).rejects.toThrow('enough');
  });

  it('or gives what is to be used then', () =>
    expect(orAborted(never, AbortSignal.abort(), () => 'ended')).resolves.toBe('ended'));
});
