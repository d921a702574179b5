import { useSearchParams } from 'wouter';
import { ProblemNote } from '../../design/problem-note';
import { Waiting } from '../../design/waiting';
import { Alerts } from './alerts';
import { Dependencies } from './dependencies';
import { Figures } from './figures-panel';
import { HealthCharts } from './health-charts';
import { QueuesTable } from './queues-table';
import { filterFrom, paramsOf, type RunFilter } from './run-filter';
import { RunsPanel } from './runs-panel';
import { useHealth } from './use-health';
import { WorkersTable } from './workers-table';
import './health.css';

export function HealthView() {
  const { data: health, error, refetch, stream } = useHealth();
  const [filter, setFilter] = useRunFilter();
  return (
    <section className="page">
      <div className="page-head">
        <h1>Health</h1>
        <nav className="row small" aria-label="Related pages">
          <a href="/admin/queues">Job browser</a>
          <a href="/docs">API reference</a>
        </nav>
      </div>
      {error && <ProblemNote error={error} onRetry={() => refetch()} />}
      {!error && !health && <Waiting for="system health" />}
      {health && (
        <>
          <div className="health-top">
            <Alerts health={health} isLive={stream !== 'lost'} />
            <Dependencies all={health.stats.dependencies} canaries={health.stats.canaries} />
          </div>
          <Figures stats={health.stats} />
        </>
      )}
      <RunsPanel filter={filter} onChange={setFilter} />
      <QueuesTable canaries={health?.stats.canaries ?? []} />
      <WorkersTable />
      <HealthCharts />
    </section>
  );
}

function useRunFilter(): [RunFilter, (filter: RunFilter) => void] {
  const [search, setSearch] = useSearchParams();
  return [filterFrom(search), (filter) => setSearch(paramsOf(filter), { replace: true })];
}
