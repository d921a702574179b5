import { duration } from '../../design/duration';
import type { Health } from './use-health';

export interface Figure {
  name: string;
  value: string;
  /** Where there is more about it. */
  href?: string;
}

const whole = (value: number) => value.toLocaleString('en');
const rate = (value: number) => (Math.round(value * 10) / 10).toLocaleString('en');
const percent = (share: number) => `${(Math.round(share * 1_000) / 10).toLocaleString('en')} %`;
/** Nothing was measured: a 0 would be praise. */
const delay = (seconds: number | null) => (seconds === null ? '–' : duration(seconds));

const share = (part: number, all: number) => (all ? percent(part / all) : '–');
const budgetUsed = ({ fetchesPerHour, budgetPerHour }: Health['stats']['freshness']): Figure =>
  budgetPerHour
    ? { name: 'Budget used, last hour', value: `${whole(fetchesPerHour)} of ${whole(budgetPerHour)}` }
    : { name: 'Fetches on schedule, last hour', value: whole(fetchesPerHour) };

export function figuresOf({ workers, queues, jobs, fetching, freshness, publishing, deadLetters }: Health['stats']) {
  const groups: [title: string, figures: Figure[]][] = [
    [
      'Jobs',
      [
        { name: 'Workers', value: `${whole(workers.available)} of ${whole(workers.expected)}` },
        { name: 'Waiting', value: whole(queues.waiting) },
        { name: 'Active', value: whole(queues.active) },
        { name: 'Delayed', value: whole(queues.delayed) },
        { name: 'Done a minute', value: rate(jobs.donePerMinute) },
        { name: 'Failed a minute', value: rate(jobs.failedPerMinute) },
        { name: 'Runs that fail', value: percent(jobs.errorRate) },
        { name: 'Failed, last hour', value: whole(queues.failedLastHour) },
        { name: 'Dead letters', value: whole(deadLetters.open), href: '/dead-letters' },
      ],
    ],
    [
      'Fetching',
      [
        { name: 'Sources', value: whole(fetching.sources), href: '/sources' },
        { name: 'Active', value: whole(fetching.active) },
        { name: 'Failing', value: whole(fetching.failing) },
        { name: 'Stale', value: whole(fetching.stale) },
        { name: 'Paused', value: whole(fetching.paused) },
        { name: 'Delay, last hour', value: delay(fetching.medianDelaySeconds) },
        { name: 'Delay, 95 %, last hour', value: delay(fetching.p95DelaySeconds) },
      ],
    ],
    [
      'Freshness, last day',
      [
        { name: 'Delay, median', value: delay(freshness.medianDelaySeconds) },
        { name: 'Delay, 95 %', value: delay(freshness.p95DelaySeconds) },
        { name: 'Fetches', value: whole(freshness.fetches) },
        { name: 'Of these, nothing new', value: share(freshness.emptyFetches, freshness.fetches) },
        { name: 'Saved by sharing', value: whole(freshness.savedFetches) },
        budgetUsed(freshness),
      ],
    ],
    [
      'Publishing',
      [
        { name: 'Due', value: whole(publishing.due), href: '/publish' },
        { name: 'Published, last hour', value: whole(publishing.publishedLastHour) },
        { name: 'Failed, last hour', value: whole(publishing.failedLastHour) },
      ],
    ],
  ];
  return groups;
}
