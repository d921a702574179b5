import { duration } from '../../design/duration';
import { busyShare } from './busy-share';
import { type Canary, canaryInWords } from './canary-in-words';
import { shortTime } from './run-in-words';
import type { Queue, Worker } from './use-health';

const count = (value: number) => value.toLocaleString('en');
const rate = (value: number) => (Math.round(value * 10) / 10).toLocaleString('en');
/** Nothing was measured: a 0 would be praise. */
const NOTHING = '–';

/** What there is to say of a queue, in the order of the table. */
export function queueFigures(
  queue: Queue,
  { workers, canaries }: { workers: Pick<Worker, 'running'>[]; canaries: Canary[] },
): [title: string, value: string][] {
  const busy = busyShare(workers, queue.name);
  const { oldestWaitingSeconds, meanMs } = queue;
  return [
    ['Waiting', count(queue.waiting)],
    ['In rows', count(queue.waitingRows)],
    ['Oldest', oldestWaitingSeconds === null ? NOTHING : duration(oldestWaitingSeconds)],
    ['Delayed', count(queue.delayed)],
    ['Active', count(queue.active)],
    ['Busy', busy === undefined ? NOTHING : `${Math.round(busy * 100)} %`],
    ['Done/min', rate(queue.donePerMinute)],
    ['Retried', rate(queue.retriedPerMinute)],
    ['Failed', rate(queue.failedPerMinute)],
    ['Takes', meanMs === null ? NOTHING : shortTime(meanMs)],
    ['Canary', canaryInWords(canaries.find((canary) => canary.queue === queue.name))],
  ];
}

/** Of a table that has no rows yet. */
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
