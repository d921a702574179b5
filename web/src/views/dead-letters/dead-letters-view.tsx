import { useState } from 'react';
import { useRoute, useSearchParams } from 'wouter';
import { ConfirmDialog, type Question } from '../../design/confirm-dialog';
import { ClosedNote } from './closed-note';
import { FilterBar } from './filter-bar';
import { LetterDetail } from './letter-detail';
import { filterFrom, type LetterFilter, paramsOf } from './letter-filter';
import { LetterList } from './letter-list';
import { NewerLetters } from './newer-letters';
import { questionAbout } from './question-about';
import { type Order, useCloseLetters } from './use-close-letters';
import { useDeadLetters } from './use-dead-letters';
import { useLetterKeys } from './use-letter-keys';
import './dead-letters.css';

/** The list, and beside it (on a phone instead of it) the letter that the address names. */
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

/** What is asked first, and what is done at once. */
function useOrders() {
  const close = useCloseLetters();
  const [question, setQuestion] = useState<Question>();
  const ask = (order: Order, count?: number) => {
    const asked = questionAbout(order, count, () => close.mutate(order));
    if (asked) setQuestion(asked);
    else close.mutate(order);
  };
  return { close, ask, question, answered: () => setQuestion(undefined) };
}

function HowToChoose() {
  return (
    <p className="soft letters-hint">
      Choose a letter to see all of it. Keys: <kbd>j</kbd> next, <kbd>k</kbd> previous, <kbd>Enter</kbd> open,{' '}
      <kbd>r</kbd> replay, <kbd>x</kbd> discard.
    </p>
  );
}
