import { expect, it } from 'vitest';
import { Cancellation } from './job-worker.js';

it('aborts a signal that was read before the run was cancelled, and one that is read afterwards', () => {
  const early = new Cancellation();
  const { signal } = early;
  expect([early.isCancelled, signal.aborted]).toEqual([false, false]);
  early.cancel('Millrace is stopping');
  expect([early.isCancelled, signal.aborted, signal.reason.message]).toEqual([true, true, 'Millrace is stopping']);
  const late = new Cancellation();
  late.cancel('another worker has taken this job');
  expect(late.signal.aborted).toBe(true);
  expect(late.signal.reason.message).toBe('another worker has taken this job');
});
