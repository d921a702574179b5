import { useState } from 'react';
import { EmptyState } from '../../../design/empty-state';
import { ProblemNote } from '../../../design/problem-note';
import { Waiting } from '../../../design/waiting';
import { type Platform, usePlatforms } from '../capacity/use-platforms';
import { AccountCard } from './account-card';
import { NewAccount } from './new-account';
import { type Account, useAccounts } from './use-accounts';

export function Accounts() {
  const [adding, setAdding] = useState(false);
  const accounts = useAccounts();
  const platforms = usePlatforms();
  const error = accounts.error ?? platforms.error;
  if (error && !(accounts.data && platforms.data)) {
    return <ProblemNote error={error} onRetry={() => [accounts.refetch(), platforms.refetch()]} />;
  }
  if (!accounts.data || !platforms.data) return <Waiting for="your accounts" />;
  const add = (
    <button type="button" onClick={() => setAdding(true)}>
      Add account
    </button>
  );
  return (
    <>
      {adding && <NewAccount platforms={platforms.data} onEnd={() => setAdding(false)} />}
      {!adding && accounts.data.length > 0 && <div className="row">{add}</div>}
      {!adding && accounts.data.length === 0 && (
        <EmptyState title="No accounts yet">
          <p>Add an account to publish to. The quickest one to try is a webhook of your own.</p>
          {add}
        </EmptyState>
      )}
      {accounts.data.length > 0 && <AccountList accounts={accounts.data} platforms={platforms.data} />}
    </>
  );
}

function AccountList({ accounts, platforms }: { accounts: Account[]; platforms: Platform[] }) {
  const labels = new Map(platforms.map(({ name, label }) => [name, label]));
  return (
    <section aria-labelledby="accounts">
      <h2 id="accounts" className="hidden">
        Your accounts
      </h2>
      <ul className="accounts">
        {accounts.map((account) => (
          <AccountCard key={account.id} account={account} label={labels.get(account.platform) ?? account.platform} />
        ))}
      </ul>
    </section>
  );
}
