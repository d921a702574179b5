import { expect, it } from 'vitest';
import { confirmationFor } from './confirmation-for';

const go = () => {};
const filter = { state: 'open' as const, queue: 'import-feed', reason: '' };

it('replays what was chosen without a question', () => {
  expect(confirmationFor({ act: 'replay', which: { ids: ['1', '2'] } }, undefined, go)).toBeUndefined();
});

it('asks before it replays all that fit, and says which', () => {
  const question = confirmationFor({ act: 'replay', which: { filter } }, 12, go);
  expect(question?.text).toContain('all 12 open dead letters of the queue import-feed');
});

it('asks before anything is discarded', () => {
  expect(confirmationFor({ act: 'discard', which: { ids: ['7'] } }, undefined, go)?.text).toContain('dead letter 7');
  expect(confirmationFor({ act: 'discard', which: { ids: ['7', '8'] } }, undefined, go)?.text).toContain(
    '2 dead letters',
  );
  expect(confirmationFor({ act: 'discard', which: { filter } }, undefined, go)?.action).toBe('Discard all');
});
