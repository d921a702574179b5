import { useState } from 'react';
import { LineChart } from '../../charts/line-chart';
import { duration } from '../../design/duration';
import { ProblemNote } from '../../design/problem-note';
import { useSeries } from './use-health';

const SPANS: [minutes: number, name: string][] = [
  [60, 'the last hour'],
  [360, 'the last 6 hours'],
  [1_440, 'the last 24 hours'],
];

export function HealthCharts() {
  const [minutes, setMinutes] = useState(60);
  const { data, error, refetch } = useSeries(minutes);
  const jobs = data?.jobs ?? [];
  const delay = data?.delay ?? [];
  return (
    <section className="panel" aria-labelledby="over-time">
      <div className="page-head">
        <h2 id="over-time">Per minute</h2>
        <label className="row small">
          Show
          <select value={minutes} onChange={(event) => setMinutes(Number(event.target.value))}>
            {SPANS.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {error && !data && <ProblemNote error={error} onRetry={() => refetch()} />}
      <div className="health-charts">
        <LineChart
          title="Jobs per minute"
          times={jobs.map(({ at }) => at)}
          series={[
            { name: 'done', tone: 'main', values: jobs.map(({ done }) => done) },
            { name: 'retried', tone: 'soft', values: jobs.map(({ retried }) => retried) },
            { name: 'failed', tone: 'bad', values: jobs.map(({ failed }) => failed) },
          ]}
        />
        <LineChart
          title="Delay until a post is found"
          times={delay.map(({ at }) => at)}
          format={duration}
          series={[
            { name: 'median', tone: 'main', values: delay.map(({ medianSeconds }) => medianSeconds) },
            { name: '95th percentile', tone: 'soft', values: delay.map(({ p95Seconds }) => p95Seconds) },
          ]}
        />
      </div>
    </section>
  );
}
