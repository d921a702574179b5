import { ProblemNote } from '../../design/problem-note';
import { inOwnZone } from './in-own-zone';
import type { useSource } from './use-source';

/** The reasons in sentences, and the numbers they come from. */
export function Schedule({
  schedule: { data, error, refetch },
}: {
  schedule: ReturnType<typeof useSource>['schedule'];
}) {
  if (error) return <ProblemNote error={error} onRetry={refetch} />;
  if (!data) return <p className="soft">…</p>;
  const numbers = { policy: data.policy, priority: data.priority, ...data.terms, postsPerDay: data.postsPerDay };
  return (
    <>
      <ul className="because">
        {data.because.map((sentence) => (
          <li key={sentence}>{inOwnZone(sentence)}</li>
        ))}
      </ul>
      <details className="small">
        <summary>The numbers behind it</summary>
        <dl className="terms">
          {Object.entries(numbers).map(([name, value]) => (
            <div key={name}>
              <dt>{inPlainWords(name)}</dt>
              <dd>{typeof value === 'string' ? inOwnZone(value) : (value ?? '–')}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

const inPlainWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
