import { useQueryClient } from '@tanstack/react-query';
import type { LetterFilter } from './letter-filter';
import { useHasNewer } from './use-dead-letters';

/** Offers what has come since the list was read; the list itself stays as it is until then. */
export function NewerLetters({ filter, first }: { filter: LetterFilter; first: string | undefined }) {
  const client = useQueryClient();
  const hasNewer = useHasNewer(filter, first);
  if (!hasNewer) return null;
  return (
    <button type="button" onClick={() => client.invalidateQueries({ queryKey: ['dead-letters'] })}>
      New ones arrived: show them
    </button>
  );
}
