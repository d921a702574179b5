import { useState } from 'react';
import { EmptyState } from '../../design/empty-state';
import { ProblemNote } from '../../design/problem-note';
import { Waiting } from '../../design/waiting';
import type { LetterFilter } from './letter-filter';
import { LetterRow } from './letter-row';
import { LetterTools } from './letter-tools';
import type { Order } from './use-close-letters';
import type { DeadLetter, useDeadLetters } from './use-dead-letters';

interface Props {
  filter: LetterFilter;
  letters: ReturnType<typeof useDeadLetters>;
  all: DeadLetter[];
  opened: string | undefined;
  isBusy: boolean;
  ask: (order: Order, count?: number) => void;
  onFocus: (id: string) => void;
}

export function LetterList({ filter, letters, all, opened, isBusy, ask, onFocus }: Props) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  if (letters.error && !letters.data) return <ProblemNote error={letters.error} onRetry={() => letters.refetch()} />;
  if (!letters.data) return <Waiting for="dead letters" />;
  const open = all.filter(({ state }) => state === 'open').map(({ id }) => id);
  const selected = open.filter((id) => ticked.has(id));
  const tick = (id: string, isTicked: boolean) => setTicked(isTicked ? new Set([...ticked, id]) : without(ticked, id));
  return (
    <>
      <LetterTools
        {...{ filter, open, selected, isBusy, ask }}
        count={letters.hasNextPage ? undefined : open.length}
        onSelect={(ids) => setTicked(new Set(ids))}
      />
      {!all.length && <NoLetters filter={filter} />}
      <ul className="letter-rows" aria-label="Dead letters" aria-busy={letters.isPlaceholderData}>
        {all.map((letter) => (
          <LetterRow
            key={letter.id}
            letter={letter}
            isOpened={letter.id === opened}
            isTicked={ticked.has(letter.id)}
            {...{ tick, onFocus }}
          />
        ))}
      </ul>
      {letters.hasNextPage && (
        <button type="button" disabled={letters.isFetchingNextPage} onClick={() => letters.fetchNextPage()}>
          {letters.isFetchingNextPage ? 'Loading …' : 'Show older dead letters'}
        </button>
      )}
    </>
  );
}

const without = (ids: ReadonlySet<string>, gone: string) => new Set([...ids].filter((id) => id !== gone));

function NoLetters({ filter: { state, queue, reason } }: { filter: LetterFilter }) {
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
