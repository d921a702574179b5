import { useState } from 'react';
import { useRoute, useSearchParams } from 'wouter';
import { ConfirmDialog, type Confirmation } from '../../design/confirm-dialog';
import { ClosedNote } from './closed-note';
import { FilterBar } from './filter-bar';
import { LetterDetail } from './letter-detail';
import { filterFrom, type LetterFilter, paramsOf } from './letter-filter';
import { LetterList } from './letter-list';
import { NewerLetters } from './newer-letters';
import { confirmationFor } from './confirmation-for';
import { type Order, useCloseLetters } from './use-close-letters';
import { useDeadLetters } from './use-dead-letters';
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
      Select a dead letter to see its details. Shortcuts: <kbd>j</kbd> next, <kbd>k</kbd> previous, <kbd>Enter</kbd> open,{' '}
      <kbd>r</kbd> replay, <kbd>x</kbd> discard.
    </p>
  );
}
