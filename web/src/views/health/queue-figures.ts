import { duration } from '../../design/duration';
import { busyShare } from './busy-share';
import { type Canary, canaryAge } from './canary-age';
import { shortTime } from './run-summary';
import type { Queue, Worker } from './use-health';

const count = (value: number) => value.toLocaleString('en');
const rate = (value: number) => (Math.round(value * 10) / 10).toLocaleString('en');
/** Not measured; 0 would look like a result. */
const NOTHING = '–';

/** In the order of the table columns. */
export function queueFigures(
  queue: Queue,
  { workers, canaries }: { workers: Pick<Worker, 'running'>[]; canaries: Canary[] },
): [title: string, value: string][] {
  const busy = busyShare(workers, queue.name);
  const { oldestWaitingSeconds, meanMs } = queue;
  return [
    ['Waiting', count(queue.waiting)],
    ['Pending rows', count(queue.waitingRows)],
    ['Oldest', oldestWaitingSeconds === null ? NOTHING : duration(oldestWaitingSeconds)],
    ['Delayed', count(queue.delayed)],
    ['Active', count(queue.active)],
    ['Busy', busy === undefined ? NOTHING : `${Math.round(busy * 100)} %`],
    ['Done/min', rate(queue.donePerMinute)],
    ['Retried', rate(queue.retriedPerMinute)],
    ['Failed', rate(queue.failedPerMinute)],
    ['Mean time', meanMs === null ? NOTHING : shortTime(meanMs)],
    ['Canary', canaryAge(canaries.find((canary) => canary.queue === queue.name))],
  ];
}

export const FIGURE_TITLES = queueFigures(
  {
    name: '',
    paused: false,
    waiting: 0,
    waitingRows: 0,
    active: 0,
    delayed: 0,
    oldestWaitingSeconds: null,
    meanMs: null,
    donePerMinute: 0,
    failedPerMinute: 0,
    retriedPerMinute: 0,
  },
  { workers: [], canaries: [] },
).map(([title]) => title);
