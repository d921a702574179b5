import { Badge } from '../../design/badge';
import type { Health } from './use-health';

type Dependency = Health['stats']['dependencies'][number];

const TITLES: Record<Dependency['name'], string> = { postgres: 'PostgreSQL', redis: 'Redis', rabbitmq: 'RabbitMQ' };

/** The servers that this Millrace is set to use. */
export function Dependencies({ all }: { all: Dependency[] }) {
  return (
    <section className="panel health-dependencies" aria-labelledby="dependencies">
      <h2 id="dependencies">Stands on</h2>
      <ul>
        {all.map(({ name, status, detail }) => (
          <li key={name}>
            <span>{TITLES[name]}</span>
            <Badge tone={status === 'up' ? 'good' : 'bad'}>{status}</Badge>
            {detail && <p className="mistake">{detail}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
