import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { answer, api } from '../../../api/client';
import { Problem } from '../../../api/problem';
import type { paths } from '../../../api/schema';
import { useAnnounce } from '../../../design/announcer';
import { Field } from '../../../design/field';
import { FormProblem } from '../../../design/form-problem';
import type { Platform } from '../capacity/use-platforms';
import { ACCOUNTS } from '../publication-keys';
import { CREDENTIAL_FIELDS, credentialsFrom, isPlaced } from './credential-fields';
import { CredentialInputs } from './credential-inputs';

type NewAccountBody = paths['/api/v1/accounts']['post']['requestBody']['content']['application/json'];

/** The server checks the credentials with the platform before it stores them. */
export function NewAccount({ platforms, onEnd }: { platforms: Platform[]; onEnd: () => void }) {
  const [platform, setPlatform] = useState('mastodon');
  const [name, setName] = useState('');
  const [typed, setTyped] = useState<Record<string, string>>({});
  const add = useAddAccount(onEnd);
  const fields = CREDENTIAL_FIELDS[platform] ?? [];

  function submit(event: FormEvent) {
    event.preventDefault();
    const credentials = credentialsFrom(fields, typed);
    add.mutate({ platform: platform as NewAccountBody['platform'], name, credentials });
  }

  return (
    <form className="panel new-account" onSubmit={submit} aria-label="Add account">
      <h2>Add account</h2>
      <div className="two-columns">
        <PlatformField {...{ platform, platforms }} onChange={setPlatform} />
        <Field
          label="Name"
          hint="Shown in Millrace only."
          mistake={add.error instanceof Problem ? add.error.of('name') : undefined}
        >
          <input required value={name} maxLength={200} onChange={({ target }) => setName(target.value)} />
        </Field>
        <CredentialInputs {...{ fields, typed, error: add.error }} onChange={setTyped} />
      </div>
      {add.error && <FormProblem error={add.error} isPlaced={isPlaced} />}
      <div className="row">
        <button type="submit" className="primary" disabled={add.isPending}>
          {add.isPending ? 'Checking credentials …' : 'Check and add'}
        </button>
        <button type="button" disabled={add.isPending} onClick={onEnd}>
          Cancel
        </button>
      </div>
      <p className="hint">Credentials are stored encrypted and are never shown again.</p>
    </form>
  );
}

function useAddAccount(after: () => void) {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (body: NewAccountBody) => answer(api.POST('/api/v1/accounts', { body })),
    onSuccess: (account) => {
      void client.invalidateQueries({ queryKey: [ACCOUNTS] });
      announce(`${account.name} is connected.`);
      after();
    },
  });
}

interface PlatformProps {
  platform: string;
  platforms: Platform[];
  onChange: (name: string) => void;
}

function PlatformField({ platform, platforms, onChange }: PlatformProps) {
  return (
    <Field label="Platform">
      <select value={platform} onChange={({ target }) => onChange(target.value)}>
        {platforms.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
}
