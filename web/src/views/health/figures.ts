import { duration } from '../../design/duration';
import type { Health } from './use-health';

interface Figure {
  name: string;
  value: string;
  href?: string;
}

const whole = (value: number) => value.toLocaleString('en');
const rate = (value: number) => (Math.round(value * 10) / 10).toLocaleString('en');
const percent = (share: number) => `${(Math.round(share * 1_000) / 10).toLocaleString('en')} %`;
/** A dash means not measured; 0 would look like a perfect result. */
const delay = (seconds: number | null) => (seconds === null ? '–' : duration(seconds));

const share = (part: number, all: number) => (all ? percent(part / all) : '–');
const budgetUsed = ({ fetchesPerHour, budgetPerHour }: Health['stats']['freshness']): Figure =>
  budgetPerHour
    ? { name: 'Budget used, last hour', value: `${whole(fetchesPerHour)} of ${whole(budgetPerHour)}` }
    : { name: 'Scheduled fetches, last hour', value: whole(fetchesPerHour) };

function publishingFigures({ due, oldestDueSeconds, pools, ...lastHour }: Health['stats']['publishing']): Figure[] {
  const { publishedLastHour, failedLastHour, successRate } = lastHour;
  return [
    { name: 'Due (target: under 100)', value: whole(due), href: '/publish' },
    { name: 'Oldest due (target: 5 min)', value: delay(oldestDueSeconds) },
    { name: 'Published, last hour', value: whole(publishedLastHour) },
    { name: 'Failed, last hour', value: whole(failedLastHour) },
    { name: 'Success, last hour (target: 99 %)', value: successRate === null ? '–' : percent(successRate) },
    { name: 'Pools busy (target: 70–90 %)', value: pools.utilisation === null ? '–' : percent(pools.utilisation) },
  ];
}

export function figuresOf(stats: Health['stats']) {
  const { workers, queues, jobs, features, fetching, freshness, publishing, deadLetters } = stats;
  const groups: [title: string, figures: Figure[]][] = [
    [
      'Jobs',
      [
        { name: 'Workers', value: `${whole(workers.available)} of ${whole(workers.expected)}` },
        { name: 'Waiting', value: whole(queues.waiting + queues.waitingRows) },
        { name: 'Active', value: whole(queues.active) },
        { name: 'Delayed', value: whole(queues.delayed) },
        { name: 'Done per minute', value: rate(jobs.donePerMinute) },
        { name: 'Failed per minute', value: rate(jobs.failedPerMinute) },
        { name: 'Error rate', value: percent(jobs.errorRate) },
        ...features.map(({ feature, errorRate }) => ({ name: `Error rate, ${feature}`, value: percent(errorRate) })),
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
        { name: 'Median delay, last hour', value: delay(fetching.medianDelaySeconds) },
        { name: '95th percentile, last hour', value: delay(fetching.p95DelaySeconds) },
      ],
    ],
    [
      'Freshness, last day',
      [
        { name: 'Median delay', value: delay(freshness.medianDelaySeconds) },
        { name: '95th percentile', value: delay(freshness.p95DelaySeconds) },
        { name: 'Fetches', value: whole(freshness.fetches) },
        { name: 'Fetches without new posts', value: share(freshness.emptyFetches, freshness.fetches) },
        { name: 'Fetches saved by sharing', value: whole(freshness.savedFetches) },
        budgetUsed(freshness),
      ],
    ],
    ['Publishing', publishingFigures(publishing)],
  ];
  return groups;
}
