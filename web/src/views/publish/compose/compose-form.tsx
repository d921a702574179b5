import { type FormEvent, useState } from 'react';
import { FormProblem } from '../../../design/form-problem';
import type { Account } from '../accounts/use-accounts';
import type { Platform } from '../capacity/use-platforms';
import { AccountChoice } from './account-choice';
import { ContentFields } from './content-fields';
import { newPublications } from './draft';
import { isPlaced, refusalsIn } from './refusals';
import { slotHint } from './slot-hint';
import { useDraft } from './use-draft';
import { usePublish } from './use-publish';
import { WhenFields } from './when-fields';

const WAYS = { now: 'Now', time: 'At a specific time', slot: 'In the next free slot' };

export function ComposeForm({ accounts, platforms }: { accounts: Account[]; platforms: Platform[] }) {
  const { draft, change, clear } = useDraft();
  const [mistake, setMistake] = useState<string>();
  const publish = usePublish(clear);
  const working = accounts.filter(({ status }) => status === 'active');
  const only = working.length === 1 ? working.map(({ id }) => id) : [];
  const chosen = (draft.accountIds ?? only).filter((id) => accounts.some((account) => account.id === id));
  const targets = accounts.filter(({ id }) => chosen.includes(id));
  const goesTo = platforms.filter(({ name }) => targets.some(({ platform }) => platform === name));
  const refusals = refusalsIn(publish.error, publish.variables?.accountIds ?? []);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (publish.isPending) return;
    setMistake(chosen.length ? undefined : 'Select at least one account.');
    if (chosen.length) publish.mutate(newPublications(draft, chosen));
  }

  return (
    <form className="compose" onSubmit={submit} aria-label="New post">
      <h2 className="hidden">New post</h2>
      <div className="panel">
        <ContentFields draft={draft} onChange={change} platforms={goesTo} refusals={refusals} />
      </div>
      <div className="panel">
        <AccountChoice {...{ accounts, platforms, chosen, refusals }} onChoose={(ids) => change({ accountIds: ids })} />
        {mistake && (
          <p className="mistake" role="alert">
            {mistake}
          </p>
        )}
        <WhenFields draft={draft} onChange={change} ways={WAYS} slotHint={slotHint(targets)} refusals={refusals} />
        {publish.error && <FormProblem error={publish.error} isPlaced={isPlaced} />}
        <ComposeEnd when={draft.when} isPending={publish.isPending} onClear={clear} />
      </div>
    </form>
  );
}

function buttonName(isPending: boolean, when: string): string {
  if (isPending) return 'Checking …';
  return when === 'now' ? 'Publish now' : 'Schedule';
}

interface EndProps {
  when: string;
  isPending: boolean;
  onClear: () => void;
}

function ComposeEnd({ when, isPending, onClear }: EndProps) {
  return (
    <div className="row">
      <button type="submit" className="primary" disabled={isPending}>
        {buttonName(isPending, when)}
      </button>
      <button type="button" className="quiet" disabled={isPending} onClick={onClear}>
        Clear
      </button>
    </div>
  );
}
