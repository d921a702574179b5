import { Link } from 'wouter';
import { Badge } from '../../design/badge';
import { paramsOf } from './run-filter';
import type { Queue } from './use-health';
import type { QueueAction } from './use-queue-mutation';

interface Props {
  queue: Queue;
  figures: [title: string, value: string][];
  isBusy: boolean;
  onAct: (what: QueueAction) => void;
}

const runsOf = (queue: string) => `/health?${new URLSearchParams(paramsOf({ show: 'all', queue }))}`;
const focusRuns = () => document.getElementById('runs')?.focus();

export function QueueRow({ queue: { name, paused }, figures, isBusy, onAct }: Props) {
  const [does, what] = paused ? (['Resume', 'resume'] as const) : (['Pause', 'pause'] as const);
  return (
    <tr>
      <th scope="row">
        <Link href={runsOf(name)} title={`Recent runs of ${name}`} onClick={focusRuns}>
          {name}
        </Link>{' '}
        {paused && <Badge tone="warning">paused</Badge>}
      </th>
      {figures.map(([title, value]) => (
        <td key={title} className="number">
          {value}
        </td>
      ))}
      <td>
        <div className="health-acts">
          <button type="button" aria-label={`${does} ${name}`} disabled={isBusy} onClick={() => onAct(what)}>
            {does}
          </button>
          <button type="button" aria-label={`Clean ${name}`} disabled={isBusy} onClick={() => onAct('clean')}>
            Clean
          </button>
        </div>
      </td>
    </tr>
  );
}
