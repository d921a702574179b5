import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRoute, useSearchParams } from 'wouter';
import { type Confirmation, ConfirmDialog } from '../../design/confirm-dialog';
import { byReason, type Closed, closedText } from './closing';
import { confirmationFor } from './confirmation-for';
import { FilterBar } from './filter-bar';
import { LetterDetail } from './letter-detail';
import { filterFrom, type LetterFilter, paramsOf } from './letter-filter';
import { LetterList } from './letter-list';
import { type Order, useCloseLetters } from './use-close-letters';
import { useDeadLetters, useHasNewer } from './use-dead-letters';
import { useLetterKeys } from './use-letter-keys';
import './dead-letters.css';

export function DeadLettersView() {
  const [filter, setFilter] = useFilter();
  const letters = useDeadLetters(filter);
  const all = letters.data?.pages.flatMap(({ items }) => items) ?? [];
  const [, params] = useRoute('/dead-letters/:id');
  const { close, ask, question, answered } = useOrders();
  const { setFocused, wasKey } = useLetterKeys({ ids: all.map(({ id }) => id), opened: params?.id, ask });
  return (
    <section className={params ? 'page letters has-one' : 'page letters'}>
      <div className="letters-head row">
        <h1>Dead letters</h1>
        {letters.data && !letters.isFetching && <NewerLetters filter={filter} first={all[0]?.id} />}
      </div>
      <ClosedNote error={close.error} closed={close.data} onClose={close.reset} />
      <div className="letters-list">
        <FilterBar filter={filter} letters={all} onChange={setFilter} />
        <LetterList
          {...{ filter, letters, all, ask }}
          opened={params?.id}
          isBusy={close.isPending}
          onFocus={setFocused}
        />
      </div>
      <div className="letters-one">
        {params ? (
          <LetterDetail
            id={params.id}
            isBusy={close.isPending}
            takesFocus={() => !wasKey()}
            onAct={(act) => ask({ act, which: { ids: [params.id] } })}
          />
        ) : (
          all.length > 0 && <HowToChoose />
        )}
      </div>
      <ConfirmDialog question={question} onClose={answered} />
    </section>
  );
}

function useFilter(): [LetterFilter, (filter: LetterFilter) => void] {
  const [search, setSearch] = useSearchParams();
  return [filterFrom(search), (filter) => setSearch(paramsOf(filter), { replace: true })];
}

function useOrders() {
  const close = useCloseLetters();
  const [question, setQuestion] = useState<Confirmation>();
  const ask = (order: Order, count?: number) => {
    const asked = confirmationFor(order, count, () => close.mutate(order));
    if (asked) setQuestion(asked);
    else close.mutate(order);
  };
  return { close, ask, question, answered: () => setQuestion(undefined) };
}

function HowToChoose() {
  return (
    <p className="soft letters-hint">
      Select a dead letter to see its details. Shortcuts: <kbd>j</kbd> next, <kbd>k</kbd> previous, <kbd>Enter</kbd>{' '}
      open, <kbd>r</kbd> replay, <kbd>x</kbd> discard.
    </p>
  );
}

interface Props {
  error: Error | null;
  closed: Closed | undefined;
  onClose: () => void;
}

/** Lists what was refused and why. A success is only announced. */
function ClosedNote({ error, closed, onClose }: Props) {
  if (!error && !closed?.refused.length) return null;
  return (
    <div className="problem" role="alert">
      <div>
        <p>{error ? error.message : closed && closedText(closed)}</p>
        <ul className="letters-refused">
          {byReason(closed?.refused ?? []).map(([why, ids]) => (
            <li key={why}>
              {ids.join(', ')}: {why}
            </li>
          ))}
        </ul>
      </div>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </div>
  );
}

/** New dead letters are loaded on request, so that the list does not move while somebody works through it. */
function NewerLetters({ filter, first }: { filter: LetterFilter; first: string | undefined }) {
  const client = useQueryClient();
  const hasNewer = useHasNewer(filter, first);
  if (!hasNewer) return null;
  return (
    <button type="button" onClick={() => client.invalidateQueries({ queryKey: ['dead-letters'] })}>
      Show new dead letters
    </button>
  );
}
