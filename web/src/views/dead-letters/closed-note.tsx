import { byReason, type Closed, closedInWords } from './closing';

interface Props {
  error: Error | null;
  closed: Closed | undefined;
  onClose: () => void;
}

/** What could not be done and why, until it has been read. What went well has been announced, and needs no note. */
export function ClosedNote({ error, closed, onClose }: Props) {
  if (!error && !closed?.refused.length) return null;
  return (
    <div className="problem" role="alert">
      <div>
        <p>{error ? error.message : closed && closedInWords(closed)}</p>
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
