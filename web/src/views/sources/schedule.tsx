import { ProblemNote } from '../../design/problem-note';
import { toLocalTimes } from './to-local-times';
import type { useSource } from './use-source';

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
          <li key={sentence}>{toLocalTimes(sentence)}</li>
        ))}
      </ul>
      <details className="small">
        <summary>Details</summary>
        <dl className="terms">
          {Object.entries(numbers).map(([name, value]) => (
            <div key={name}>
              <dt>{splitCamelCase(name)}</dt>
              <dd>{typeof value === 'string' ? toLocalTimes(value) : (value ?? '–')}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

const splitCamelCase = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
