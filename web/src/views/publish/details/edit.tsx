import { type FormEvent, useState } from 'react';
import { answer, api } from '../../../api/client';
import { FormProblem } from '../../../design/form-problem';
import { useAccounts } from '../accounts/use-accounts';
import { usePlatforms } from '../capacity/use-platforms';
import { ContentFields } from '../compose/content-fields';
import { changeOf, type Draft, draftOf, type PublicationChange } from '../compose/draft';
import { isPlaced, refusalsIn } from '../compose/refusals';
import { slotHint } from '../compose/slot-hint';
import { WhenFields } from '../compose/when-fields';
import type { Publication } from '../publication';
import { usePublicationMutation } from './use-publication-mutation';

const WAYS = { kept: 'Unchanged', time: 'At another time', slot: 'In the next free slot' };

/** A publication can be edited until it is sent to the platform. */
export function Edit({ publication, onEnd }: { publication: Publication; onEnd: () => void }) {
  const { id, accountId, platform } = publication;
  const [draft, setDraft] = useState<Draft>(() => draftOf(publication));
  const { data: platforms = [] } = usePlatforms();
  const { data: accounts = [] } = useAccounts();
  const save = usePublicationMutation(publication, {
    run: (body: PublicationChange) =>
      answer(api.PATCH('/api/v1/publications/{id}', { params: { path: { id } }, body })),
    message: 'Publication saved.',
    after: onEnd,
  });
  const refusals = refusalsIn(save.error, [accountId]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const change = changeOf(draft, publication);
    if (change) save.mutate(change);
    else onEnd();
  }

  const fields = { draft, onChange: (part: Partial<Draft>) => setDraft({ ...draft, ...part }), refusals };
  return (
    <form className="edit" onSubmit={submit} aria-label="Edit publication">
      <ContentFields {...fields} platforms={platforms.filter(({ name }) => name === platform)} />
      <WhenFields {...fields} ways={WAYS} slotHint={slotHint(accounts.filter((account) => account.id === accountId))} />
      {save.error && <FormProblem error={save.error} isPlaced={isPlaced} />}
      <div className="row">
        <button type="submit" className="primary" disabled={save.isPending}>
          {save.isPending ? 'Saving …' : 'Save'}
        </button>
        <button type="button" disabled={save.isPending} onClick={onEnd}>
          Discard changes
        </button>
      </div>
    </form>
  );
}
