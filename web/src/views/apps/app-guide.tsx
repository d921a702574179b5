import { useState } from 'react';
import { Field } from '../../design/field';
import { readingApps, type SignIn } from './reading-apps';

export function AppGuide({ signIn }: { signIn: SignIn }) {
  const apps = readingApps(signIn);
  const [name, setName] = useState(apps[0]?.name);
  const app = apps.find((one) => one.name === name);
  return (
    <section className="panel" aria-labelledby="app-guide">
      <h2 id="app-guide">What to enter</h2>
      <Field
        label="App"
        hint="An app that is missing here works if it supports FreshRSS, Google Reader, Fever or Miniflux."
      >
        <select value={name} onChange={({ target }) => setName(target.value)}>
          {apps.map((one) => (
            <option key={one.name}>{one.name}</option>
          ))}
        </select>
      </Field>
      {app && (
        <dl>
          <dt>Account</dt>
          <dd>{app.account}</dd>
          {app.settings.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
