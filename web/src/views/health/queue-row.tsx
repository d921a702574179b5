import { Badge } from '../../design/badge';
import { duration } from '../../design/duration';
import type { Queue } from './use-health';
import type { QueueAct } from './use-queue-acts';

/** In the order of the row's cells. */
export const FIGURES = ['Waiting', 'Active', 'Delayed', 'Oldest', 'Done/min', 'Failed/min'];

interface Props {
  queue: Queue;
  isBusy: boolean;
  onAct: (what: QueueAct) => void;
}

export function QueueRow({ queue, isBusy, onAct }: Props) {
  const { name, paused, waiting, active, delayed, oldestWaitingSeconds, donePerMinute, failedPerMinute } = queue;
  const figures = [waiting, active, delayed].map((value) => value.toLocaleString('en'));
  const oldest = oldestWaitingSeconds === null ? '–' : duration(oldestWaitingSeconds);
  const rates = [donePerMinute, failedPerMinute].map((value) => (Math.round(value * 10) / 10).toLocaleString('en'));
  const [does, what] = paused ? (['Resume', 'resume'] as const) : (['Pause', 'pause'] as const);
  return (
    <tr>
      <th scope="row">
        {name} {paused && <Badge tone="warning">paused</Badge>}
      </th>
      {[...figures, oldest, ...rates].map((value, column) => (
        <td key={FIGURES[column]} className="number">
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
