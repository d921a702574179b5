import type { DeadLetter } from './use-dead-letters';

export function LetterHistory({ history }: { history: DeadLetter['history'] }) {
  if (!history.length) return null;
  return (
    <>
      <h3>History</h3>
      <ol className="letter-history small">
        {history.map(({ at, reason }) => (
          <li key={at}>
            <time dateTime={at} className="soft">
              {new Date(at).toLocaleString()}
            </time>
            <span>{reason}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
