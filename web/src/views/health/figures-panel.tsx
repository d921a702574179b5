import { Link } from 'wouter';
import { figuresOf } from './figures';
import type { Health } from './use-health';

export function Figures({ stats }: { stats: Health['stats'] }) {
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
