import { type FormEvent, useState } from 'react';
import { Problem } from '../../api/problem';
import { EmptyState } from '../../design/empty-state';
import { Field } from '../../design/field';
import { FormProblem } from '../../design/form-problem';
import { ProblemNote } from '../../design/problem-note';
import { Waiting } from '../../design/waiting';
import { useMe } from '../../session/use-me';
import { AppGuide } from './app-guide';
import { AppPasswordList } from './app-password-list';
import { type NewAppPassword, useAppPasswords, useCreateAppPassword } from './use-app-passwords';
import './apps.css';

export function AppsView() {
  const [created, setCreated] = useState<NewAppPassword>();
  const passwords = useAppPasswords();
  const me = useMe();
  const userName = created?.userName ?? passwords.data?.[0]?.userName ?? me.data?.userName;
  return (
    <section className="page apps">
      <div className="page-head">
        <h1>Read in your app</h1>
      </div>
      <p>
        Apps for phones and desktops read your feeds here and keep what you have read and starred in step. Create a
        password for each app, and enter it in the app together with the address below.
      </p>
      <CreatePassword onCreated={setCreated} />
      {created && <ShownOnce {...created} />}
      {passwords.error && !passwords.data && (
        <ProblemNote error={passwords.error} onRetry={() => passwords.refetch()} />
      )}
      {passwords.isPending && <Waiting for="your app passwords" />}
      {passwords.data?.length === 0 && (
        <EmptyState title="No app passwords yet">
          <p>An app password can read and mark your feeds, and nothing else. You can revoke it at any time.</p>
        </EmptyState>
      )}
      {passwords.data && passwords.data.length > 0 && <AppPasswordList passwords={passwords.data} />}
      <AppGuide
        signIn={{
          address: location.origin,
          userName: userName ?? 'your user name',
          password: created?.password,
        }}
      />
    </section>
  );
}

function CreatePassword({ onCreated }: { onCreated: (created: NewAppPassword) => void }) {
  const [name, setName] = useState('');
  const create = useCreateAppPassword((created) => {
    setName('');
    onCreated(created);
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    create.mutate(name);
  }

  return (
    <form className="panel" onSubmit={submit} aria-label="New app password">
      <Field
        label="Name of the app or device"
        hint="Shown in the list below, so that you can tell your apps apart."
        mistake={create.error instanceof Problem ? create.error.of('name') : undefined}
      >
        <input required maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
      {create.error && <FormProblem error={create.error} isPlaced={(path) => path === 'name'} />}
      <div className="row">
        <button type="submit" className="primary" disabled={create.isPending}>
          {create.isPending ? 'Creating …' : 'Create app password'}
        </button>
      </div>
    </form>
  );
}

function ShownOnce({ name, userName, password }: NewAppPassword) {
  return (
    <section className="panel shown-once" aria-label="New password" role="status">
      <h2>Password for {name}</h2>
      <dl>
        <dt>User name</dt>
        <dd>
          <code>{userName}</code>
        </dd>
        <dt>Password</dt>
        <dd>
          <code>{password}</code>
        </dd>
      </dl>
      <p className="hint">Copy it now. It is not shown again.</p>
    </section>
  );
}
