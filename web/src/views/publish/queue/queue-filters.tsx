import { useAccounts } from '../accounts/use-accounts';
import { STATUS_LABELS, STATUSES } from '../publication';
import type { Shown } from './queue';

interface Props {
  shown: Shown;
  setShown: (shown: Shown) => void;
  account: string | undefined;
  setAccount: (id: string | undefined) => void;
}

export function QueueFilters({ shown, setShown, account, setAccount }: Props) {
  const { data: accounts = [] } = useAccounts();
  return (
    <search className="row" aria-label="Filter publications">
      <label className="inline-field">
        Show
        <select value={shown} onChange={({ target }) => setShown(target.value as Shown)}>
          <option value="queue">queue</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {STATUS_LABELS[status].name.toLowerCase()}
            </option>
          ))}
          <option value="all">all publications</option>
        </select>
      </label>
      <label className="inline-field">
        Account
        <select value={account ?? ''} onChange={({ target }) => setAccount(target.value || undefined)}>
          <option value="">all</option>
          {accounts.map(({ id, name, platform }) => (
            <option key={id} value={id}>
              {name} ({platform})
            </option>
          ))}
        </select>
      </label>
    </search>
  );
}
