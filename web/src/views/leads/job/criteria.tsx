import type { ScrapeJob } from '../scrape-job';

export function Criteria({ industry, geography, keywords, search_query, filters }: ScrapeJob) {
  const criteria: [string, string | null][] = [
    ['Industry', industry],
    ['Place', geography],
    ['Keywords', keywords.join(', ') || null],
    ['Search query', search_query],
    ...Object.entries(filters).map(([name, value]): [string, string] => [name, formatValue(value)]),
  ];
  return (
    <details>
      <summary>Search criteria</summary>
      <dl className="criteria">
        {criteria.map(([name, value]) =>
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

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
