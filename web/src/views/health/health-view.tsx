import { Link, useSearchParams } from 'wouter';
import { Badge } from '../../design/badge';
import { ProblemNote } from '../../design/problem-note';
import { Waiting } from '../../design/waiting';
import { Alerts } from './alerts';
import { type Canary, canaryAge } from './canary-age';
import { figuresOf } from './figures';
import { HealthCharts } from './health-charts';
import { QueuesTable } from './queues-table';
import { RabbitmqTable } from './rabbitmq-table';
import { filterFrom, paramsOf, type RunFilter } from './run-filter';
import { RunsPanel } from './runs-panel';
import { type Health, useHealth } from './use-health';
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
      {health?.stats.rabbitmq && <RabbitmqTable rabbitmq={health.stats.rabbitmq} />}
      <WorkersTable />
      <HealthCharts />
    </section>
  );
}

function useRunFilter(): [RunFilter, (filter: RunFilter) => void] {
  const [search, setSearch] = useSearchParams();
  return [filterFrom(search), (filter) => setSearch(paramsOf(filter), { replace: true })];
}

function Figures({ stats }: { stats: Health['stats'] }) {
  return (
    <div className="health-figures">
      {figuresOf(stats).map(([title, figures]) => (
        <section key={title} className="panel" aria-label={title}>
          <h2>{title}</h2>
          <dl>
            {figures.map(({ name, value, href }) => (
              <div key={name}>
                <dt>{href ? <Link href={href}>{name}</Link> : name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

type Dependency = Health['stats']['dependencies'][number];

const TITLES: Record<Dependency['name'], string> = { postgres: 'PostgreSQL', redis: 'Redis', rabbitmq: 'RabbitMQ' };

function Dependencies({ all, canaries }: { all: Dependency[]; canaries: Canary[] }) {
  const canaryOf = (name: string) => canaries.find(({ queue }) => queue === name);
  return (
    <section className="panel health-dependencies" aria-labelledby="dependencies">
      <h2 id="dependencies">Dependencies</h2>
      <ul>
        {all.map(({ name, status, detail }) => (
          <li key={name}>
            <span>{TITLES[name]}</span>
            <Badge tone={status === 'up' ? 'good' : 'bad'}>{status}</Badge>
            {detail && <p className="mistake">{detail}</p>}
            {canaryOf(name) && <p className="soft small">Canary returned {canaryAge(canaryOf(name))}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
