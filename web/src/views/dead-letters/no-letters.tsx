import { EmptyState } from '../../design/empty-state';
import type { LetterFilter } from './letter-filter';

export function NoLetters({ filter: { state, queue, reason } }: { filter: LetterFilter }) {
  if (queue || reason)
    return (
      <EmptyState title="No matching dead letters">
        <p>Choose another queue or state, or search for another reason.</p>
      </EmptyState>
    );
  if (state === 'replayed' || state === 'discarded')
    return (
      <EmptyState title={`No ${state} dead letters`}>
        <p>Dead letters that you {state === 'replayed' ? 'replay' : 'discard'} are listed here.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="No dead letters">
      <p>All jobs succeeded or are still being retried. A job that fails permanently is listed here with the reason.</p>
    </EmptyState>
  );
}
