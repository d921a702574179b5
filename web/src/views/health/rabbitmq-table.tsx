import { ScrolledTable } from './scrolled-table';
import type { Health } from './use-health';

type Rabbitmq = NonNullable<Health['stats']['rabbitmq']>;
type BrokerQueue = Rabbitmq['queues'][number];

/** In the order of the table columns. */
const FIGURES: [title: string, of: (queue: BrokerQueue) => number | null][] = [
  ['Ready', ({ ready }) => ready],
  ['Unacknowledged', ({ unacknowledged }) => unacknowledged],
  ['Consumers', ({ consumers }) => consumers],
  ['Published/s', ({ publishedPerSecond }) => publishedPerSecond],
  ['Delivered/s', ({ deliveredPerSecond }) => deliveredPerSecond],
  ['Acknowledged/s', ({ acknowledgedPerSecond }) => acknowledgedPerSecond],
];

/** A dash means not known; 0 would look like a result. */
const figure = (value: number | null) => (value === null ? '–' : value.toLocaleString('en'));

export function RabbitmqTable({ rabbitmq: { source, error, queues } }: { rabbitmq: Rabbitmq }) {
  return (
    <section className="panel" aria-labelledby="rabbitmq">
      <h2 id="rabbitmq">Queues of RabbitMQ</h2>
      {error && <p className="mistake">{error}</p>}
      {!error && source === 'passive_declare' && (
        <p className="soft small">
          Set RABBITMQ_MANAGEMENT_URL to see unacknowledged messages and message rates as well.
        </p>
      )}
      <ScrolledTable label="Queues of RabbitMQ">
        <thead>
          <tr>
            <th scope="col">Queue</th>
            {FIGURES.map(([title]) => (
              <th key={title} scope="col" className="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {queues.map((queue) => (
            <tr key={queue.name}>
              <th scope="row">{queue.name}</th>
              {FIGURES.map(([title, of]) => (
                <td key={title} className="number">
                  {figure(of(queue))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </ScrolledTable>
    </section>
  );
}
