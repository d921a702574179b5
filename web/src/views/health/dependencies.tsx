import { Badge } from '../../design/badge';
import { type Canary, canaryInWords } from './canary-in-words';
import type { Health } from './use-health';

type Dependency = Health['stats']['dependencies'][number];

const TITLES: Record<Dependency['name'], string> = { postgres: 'PostgreSQL', redis: 'Redis', rabbitmq: 'RabbitMQ' };

/** The servers that this Millrace is set to use. */
export function Dependencies({ all, canaries }: { all: Dependency[]; canaries: Canary[] }) {
  const canaryOf = (name: string) => canaries.find(({ queue }) => queue === name);
  return (
    <section className="panel health-dependencies" aria-labelledby="dependencies">
      <h2 id="dependencies">Stands on</h2>
      <ul>
        {all.map(({ name, status, detail }) => (
          <li key={name}>
            <span>{TITLES[name]}</span>
            <Badge tone={status === 'up' ? 'good' : 'bad'}>{status}</Badge>
            {detail && <p className="mistake">{detail}</p>}
            {canaryOf(name) && <p className="soft small">Canary back {canaryInWords(canaryOf(name))}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
