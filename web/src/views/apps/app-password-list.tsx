import { useRef } from 'react';
import { Dialog } from '../../design/dialog';
import { ProblemNote } from '../../design/problem-note';
import { RelativeTime } from '../../design/relative-time';
import { type AppPassword, useRevokeAppPassword } from './use-app-passwords';

export function AppPasswordList({ passwords }: { passwords: AppPassword[] }) {
  return (
    <section className="panel" aria-labelledby="app-passwords">
      <h2 id="app-passwords">Your app passwords</h2>
      <ul className="app-passwords">
        {passwords.map((password) => (
          <li key={password.id} className="row">
            <strong>{password.name}</strong>
            <span className="soft small">
              Created <RelativeTime at={password.createdAt} />
              {' · '}
              {password.lastUsedAt ? (
                <>
                  used <RelativeTime at={password.lastUsedAt} />
                </>
              ) : (
                'never used'
              )}
            </span>
            <Revoke password={password} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Revoke({ password }: { password: AppPassword }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const revoke = useRevokeAppPassword(password, () => dialog.current?.close());
  return (
    <>
      <button type="button" className="danger" onClick={() => dialog.current?.showModal()}>
        Revoke <span className="hidden">{password.name}</span>
      </button>
      <Dialog ref={dialog} title={`Revoke the password of ${password.name}?`}>
        <p>The app can no longer sign in. Your feeds, marks and stars stay as they are.</p>
        {revoke.error && <ProblemNote error={revoke.error} />}
        <div className="row dialog-actions">
          <button type="button" className="danger" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
            {revoke.isPending ? 'Revoking …' : 'Revoke password'}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </Dialog>
    </>
  );
}
