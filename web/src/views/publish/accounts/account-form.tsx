import { type FormEvent, useState } from 'react';
import { answer, api } from '../../../api/client';
import { Problem } from '../../../api/problem';
import type { paths } from '../../../api/schema';
import { Field } from '../../../design/field';
import { FormProblem } from '../../../design/form-problem';
import { CREDENTIAL_FIELDS, credentialsFrom, isPlaced } from './credential-fields';
import { CredentialInputs } from './credential-inputs';
import { useAccountMutation } from './use-account-mutation';
import type { Account } from './use-accounts';

type AccountChange = paths['/api/v1/accounts/{id}']['patch']['requestBody']['content']['application/json'];

export function AccountForm({ account, onEnd }: { account: Account; onEnd: () => void }) {
  const { platform, status } = account;
  const [name, setName] = useState(account.name);
  const [renewing, setRenewing] = useState(status === 'broken');
  const [typed, setTyped] = useState<Record<string, string>>({});
  const fields = CREDENTIAL_FIELDS[platform] ?? [];
  const save = useSave(account);

  function submit(event: FormEvent) {
    event.preventDefault();
    const body = { name, ...(renewing && { credentials: credentialsFrom(fields, typed) }) };
    save.mutate(body, { onSuccess: onEnd });
  }

  return (
    <form className="edit" onSubmit={submit} aria-label={`Edit ${account.name}`}>
      <div className="two-columns">
        <Field label="Name" mistake={save.error instanceof Problem ? save.error.of('name') : undefined}>
          <input required maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
        {renewing && <CredentialInputs {...{ fields, typed, error: save.error }} onChange={setTyped} />}
      </div>
      {save.error && <FormProblem error={save.error} isPlaced={isPlaced} />}
      <div className="row">
        <button type="submit" className="primary" disabled={save.isPending}>
          {save.isPending ? 'Saving …' : 'Save'}
        </button>
        {!renewing && (
          <button type="button" onClick={() => setRenewing(true)}>
            Replace credentials
          </button>
        )}
        <button type="button" className="quiet" onClick={onEnd}>
          Discard changes
        </button>
      </div>
    </form>
  );
}

function useSave({ id }: Account) {
  return useAccountMutation(
    (body: AccountChange) => answer(api.PATCH('/api/v1/accounts/{id}', { params: { path: { id } }, body })),
    (changed) => `${changed.name} saved.`,
  );
}
