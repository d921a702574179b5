import { Link } from 'wouter';
import { Badge } from '../../design/badge';
import { RelativeTime } from '../../design/relative-time';
import { runSummary, OUTCOME_LABELS } from './run-summary';
import type { Run } from './use-runs';

export function RunRow({ run }: { run: Run }) {
  const { queue, subject, outcome, result, target, reason, startedAt, worker, deadLetterId } = run;
  const { name, tone } = OUTCOME_LABELS[outcome];
  return (
    <li className="health-run">
      <p className="row">
        <Badge tone={tone}>{name}</Badge>
        {result && <Badge tone="plain">{result.replaceAll('_', ' ')}</Badge>}
        <strong>{queue}</strong>
        <span className="health-subject">{subject}</span>
        <span className="soft small">
          <RelativeTime at={startedAt} />
        </span>
      </p>
      {reason && <p className="health-reason">{reason}</p>}
      <p className="soft small">
        {runSummary(run)}, on {worker}
        {target && ` · ${target}`}
        {deadLetterId && (
          <>
            {' '}
            · <Link href={`/dead-letters/${deadLetterId}?state=all`}>Dead letter {deadLetterId}</Link>
          </>
        )}
      </p>
    </li>
  );
}
