import { RelativeTime } from '../../design/relative-time';
import { intervalText } from './interval-text';
import type { Source } from './source';

export function SourceNumbers({ source }: { source: Source }) {
  const { lastSuccessAt, nextFetchAt, lastPostAt, followers, activeFollowers, consecutiveFailures } = source;
  const time = (at: string | null, none: string) => (at ? <RelativeTime at={at} /> : none);
  const facts = [
    ['Last success', time(lastSuccessAt, 'not yet')],
    ['Next fetch', time(nextFetchAt, 'not scheduled')],
    ['Interval', intervalText(source.intervalSeconds)],
    ['Last post', time(lastPostAt, 'none yet')],
    ['Followers', `${followers} (${activeFollowers} active)`],
    ['Consecutive failures', consecutiveFailures],
  ] as const;
  return (
    <dl className="stats">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
