import { useQueryClient } from '@tanstack/react-query';
import type { LetterFilter } from './letter-filter';
import { useHasNewer } from './use-dead-letters';

/** New dead letters are loaded on request, so that the list does not move while somebody works through it. */
export function NewerLetters({ filter, first }: { filter: LetterFilter; first: string | undefined }) {
  const client = useQueryClient();
  const hasNewer = useHasNewer(filter, first);
  if (!hasNewer) return null;
  return (
    <button type="button" onClick={() => client.invalidateQueries({ queryKey: ['dead-letters'] })}>
      Show new dead letters
    </button>
  );
}
