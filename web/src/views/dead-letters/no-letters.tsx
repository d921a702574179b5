import { EmptyState } from '../../design/empty-state';
import type { LetterFilter } from './letter-filter';

export function NoLetters({ filter: { state, queue, reason } }: { filter: LetterFilter }) {
  if (queue || reason)
    return (
      <EmptyState title="No dead letter fits">
        <p>Choose another queue or state, or look for another reason.</p>
      </EmptyState>
    );
  if (state === 'replayed' || state === 'discarded')
    return (
      <EmptyState title={`Nothing was ${state} yet`}>
        <p>Dead letters that were {state} are listed here.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="No dead letters, which is good news">
      <p>Every job did its work, or is still being tried. What fails for good is kept here, with the reason.</p>
    </EmptyState>
  );
}
