import type { ScrapeJob } from '../scrape-job';

/** What was asked for, folded away. */
export function Criteria({ industry, geography, keywords, search_query, filters }: ScrapeJob) {
  const asked: [string, string | null][] = [
    ['Industry', industry],
    ['Place', geography],
    ['Keywords', keywords.join(', ') || null],
    ['Search words', search_query],
    ...Object.entries(filters).map(([name, value]): [string, string] => [name, spelled(value)]),
  ];
  return (
    <details>
      <summary>What was asked for</summary>
      <dl className="criteria">
        {asked.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </details>
  );
}

function spelled(value: unknown): string {
  if (Array.isArray(value)) return value.map(spelled).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
