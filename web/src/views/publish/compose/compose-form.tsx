import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { answer, api } from '../../../api/client';
import { useRequestKey } from '../../../api/use-request-key';
import { useAnnounce } from '../../../design/announcer';
import { FormProblem } from '../../../design/form-problem';
import type { Account } from '../accounts/use-accounts';
import type { Platform } from '../capacity/use-platforms';
import { ACCOUNTS, PLATFORMS, PUBLICATIONS } from '../publication-keys';
import { AccountChoice } from './account-choice';
import { ContentFields } from './content-fields';
import { type Draft, emptyDraft, type NewPublications, newPublications, ownZone } from './draft';
import { isPlaced, refusalsIn } from './refusals';
import { slotHint } from './slot-hint';
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

function usePublish(clear: () => void) {
  const key = useRequestKey();
  const client = useQueryClient();
  const announce = useAnnounce();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (body: NewPublications) =>
      answer(api.POST('/api/v1/publications', { body, params: { header: { 'Idempotency-Key': key.keyFor(body) } } })),
    onSuccess: (made, { accountIds, localTime, slot }) => {
      key.done();
      clear();
      for (const known of [PUBLICATIONS, PLATFORMS]) void client.invalidateQueries({ queryKey: [known] });
      const posts = accountIds?.length === 1 ? 'Your post is' : `${accountIds?.length} posts are`;
      announce(`${posts} ${localTime || slot ? 'scheduled' : 'being published'}.`);
      navigate('/publish', { state: { made: 'items' in made ? made.items.map(({ id }) => id) : [made.id] } });
    },
    // The server may have marked an account as broken.
    onError: () => void client.invalidateQueries({ queryKey: [ACCOUNTS] }),
  });
}

interface KeptDraft extends Draft {
  /** Undefined until the user selects accounts. */
  accountIds: string[] | undefined;
}

const newDraft = (): KeptDraft => ({ ...emptyDraft(new Date(), ownZone()), accountIds: undefined });

/** Kept outside the component, so that the draft survives switching views. */
let kept: KeptDraft | undefined;

function useDraft() {
  const [draft, setDraft] = useState<KeptDraft>(() => kept ?? newDraft());
  useEffect(() => {
    kept = draft;
  }, [draft]);
  return {
    draft,
    change: (part: Partial<KeptDraft>) => setDraft((before) => ({ ...before, ...part })),
    clear: () => {
      kept = undefined;
      setDraft(newDraft());
    },
  };
}
