import { useState } from 'react';
import { ConfirmDialog, type Confirmation } from '../../design/confirm-dialog';
import { ProblemNote } from '../../design/problem-note';
import { Waiting } from '../../design/waiting';
import type { Canary } from './canary-age';
import { FIGURE_TITLES, queueFigures } from './queue-figures';
import { QueueRow } from './queue-row';
import { ScrolledTable } from './scrolled-table';
import { type Queue, useQueues, useWorkers } from './use-health';
import { type QueueAction, useQueueMutation } from './use-queue-mutation';

export function QueuesTable({ canaries }: { canaries: Canary[] }) {
  const { data, error, refetch } = useQueues();
  const workers = useWorkers().data?.items ?? [];
  const act = useQueueMutation();
  const [question, setQuestion] = useState<Confirmation>();
  const order = (queue: Queue, what: QueueAction) =>
    what === 'clean'
      ? setQuestion(cleanConfirmation(queue, () => act.mutate({ name: queue.name, what })))
      : act.mutate({ name: queue.name, what });
  return (
    <section className="panel" aria-labelledby="queues">
      <h2 id="queues">Queues</h2>
      {error && !data && <ProblemNote error={error} onRetry={() => refetch()} />}
      {act.error && <ProblemNote error={act.error} />}
      {!error && !data && <Waiting for="queues" />}
      {data && (
        <ScrolledTable label="Queues">
          <thead>
            <tr>
              <th scope="col">Queue</th>
              {FIGURE_TITLES.map((name) => (
                <th key={name} scope="col" className="number">
                  {name}
                </th>
              ))}
              <th scope="col">
                <span className="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((queue) => (
              <QueueRow
                key={queue.name}
                queue={queue}
                figures={queueFigures(queue, { workers, canaries })}
                isBusy={act.isPending && act.variables.name === queue.name}
                onAct={(what) => order(queue, what)}
              />
            ))}
          </tbody>
        </ScrolledTable>
      )}
      <ConfirmDialog question={question} onClose={() => setQuestion(undefined)} />
    </section>
  );
}

const cleanConfirmation = ({ name }: Queue, go: () => void): Confirmation => ({
  title: `Clean ${name}?`,
  text: 'This removes finished jobs and jobs that are no longer needed. Pending work is kept.',
  action: 'Clean',
  act: go,
  isDanger: true,
});
