import { Link } from 'wouter';
import type { Account } from '../accounts/use-accounts';
import type { Platform } from '../capacity/use-platforms';
import type { Refusals } from './refusals';

interface Props {
  accounts: Account[];
  platforms: Platform[];
  chosen: string[];
  onChoose: (ids: string[]) => void;
  refusals: Refusals;
}

export function AccountChoice({ accounts, platforms, chosen, onChoose, refusals }: Props) {
  const groups = platforms
    .map((platform) => ({ platform, own: accounts.filter((account) => account.platform === platform.name) }))
    .filter(({ own }) => own.length);
  const toggle = (id: string) => onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <fieldset className="choices">
      <legend>Accounts</legend>
      {groups.map(({ platform, own }) => (
        <fieldset key={platform.name}>
          <legend className="soft">{platform.label}</legend>
          {own.map((account) => (
            <AccountBox
              key={account.id}
              {...{ account, messages: refusals.ofAccount(account.id), on: chosen.includes(account.id) }}
              onToggle={() => toggle(account.id)}
            />
          ))}
        </fieldset>
      ))}
      <p className="hint">
        <Link href="/publish/accounts">Manage accounts</Link>
      </p>
    </fieldset>
  );
}

interface BoxProps {
  account: Account;
  on: boolean;
  messages: string[];
  onToggle: () => void;
}

function AccountBox({ account: { id, name, status, lastError, platformName }, on, messages, onToggle }: BoxProps) {
  const broken = status === 'broken';
  return (
    <div>
      <label className="choice">
        <input
          type="checkbox"
          checked={on}
          disabled={broken && !on}
          onChange={onToggle}
          aria-describedby={`account-${id}`}
        />
        <span>
          {name} {platformName && platformName !== name && <span className="soft small">{platformName}</span>}
        </span>
      </label>
      <div id={`account-${id}`}>
        {broken && (
          <p className="mistake">Needs reconnecting: {lastError ?? 'the platform rejected its credentials'}</p>
        )}
        {messages.map((message) => (
          <p key={message} className="mistake">
            {message}
          </p>
        ))}
      </div>
    </div>
  );
}
