import type { Problem } from '../../api/problem';
import { countOf } from '../../design/count-of';
import { refusedAddresses } from './given-feeds';

const MAX_SHOWN = 5;

/** Nothing was started: which addresses are the reason, or what else. */
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
      <p>None of these can be imported. Mend at least one of them:</p>
      <ul className="import-refused">
        {refused.slice(0, MAX_SHOWN).map(({ address, why }) => (
          <li key={address}>
            <code>{address}</code>: {why}
          </li>
        ))}
      </ul>
      {refused.length > MAX_SHOWN && <p>And {countOf(refused.length - MAX_SHOWN, 'other')}.</p>}
    </div>
  );
}
