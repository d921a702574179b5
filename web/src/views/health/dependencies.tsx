import { Badge } from '../../design/badge';
import { type Canary, canaryAge } from './canary-age';
import type { Health } from './use-health';

type Dependency = Health['stats']['dependencies'][number];

const TITLES: Record<Dependency['name'], string> = { postgres: 'PostgreSQL', redis: 'Redis', rabbitmq: 'RabbitMQ' };

export function Dependencies({ all, canaries }: { all: Dependency[]; canaries: Canary[] }) {
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
