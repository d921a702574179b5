import type { Problem } from '../../api/problem';
import { refusedAddresses } from './feed-input';

const MAX_SHOWN = 5;

export function StartProblem({ error, addresses }: { error: Problem; addresses: string[] }) {
  const refused = refusedAddresses(error.fields, addresses);
  if (!refused.length)
    return (
      <p className="mistake" role="alert">
        {error.message}
      </p>
    );
  return (
    <div className="mistake" role="alert">
      <p>None of these feeds can be imported. Fix at least one:</p>
      <ul className="import-refused">
        {refused.slice(0, MAX_SHOWN).map(({ address, why }) => (
          <li key={address}>
            <code>{address}</code>: {why}
          </li>
        ))}
      </ul>
      {refused.length > MAX_SHOWN && <p>And {refused.length - MAX_SHOWN} more.</p>}
    </div>
  );
}
