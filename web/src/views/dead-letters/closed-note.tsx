import { byReason, type Closed, closedText } from './closing';

interface Props {
  error: Error | null;
  closed: Closed | undefined;
  onClose: () => void;
}

/** Lists what was refused and why. A success is only announced. */
export function ClosedNote({ error, closed, onClose }: Props) {
  if (!error && !closed?.refused.length) return null;
  return (
    <div className="problem" role="alert">
      <div>
        <p>{error ? error.message : closed && closedText(closed)}</p>
        <ul className="letters-refused">
          {byReason(closed?.refused ?? []).map(([why, ids]) => (
            <li key={why}>
              {ids.join(', ')}: {why}
            </li>
          ))}
        </ul>
      </div>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </div>
  );
}
