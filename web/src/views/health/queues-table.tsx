import { useState } from 'react';
import { ConfirmDialog, type Question } from '../../design/confirm-dialog';
import { ProblemNote } from '../../design/problem-note';
import { Waiting } from '../../design/waiting';
import type { Canary } from './canary-in-words';
import { FIGURE_TITLES, queueFigures } from './queue-figures';
import { QueueRow } from './queue-row';
import { ScrolledTable } from './scrolled-table';
import { type Queue, useQueues, useWorkers } from './use-health';
import { type QueueAct, useQueueActs } from './use-queue-acts';

export function QueuesTable({ canaries }: { canaries: Canary[] }) {
  const { data, error, refetch } = useQueues();
  const workers = useWorkers().data?.items ?? [];
  const act = useQueueActs();
  const [question, setQuestion] = useState<Question>();
  const order = (queue: Queue, what: QueueAct) =>
    what === 'clean'
      ? setQuestion(aboutCleaning(queue, () => act.mutate({ name: queue.name, what })))
      : act.mutate({ name: queue.name, what });
  return (
    <section className="panel" aria-labelledby="queues">
      <h2 id="queues">Queues</h2>
      {error && !data && <ProblemNote error={error} onRetry={() => refetch()} />}
      {act.error && <ProblemNote error={act.error} />}
      {!error && !data && <Waiting for="the queues" />}
      {data && (
        <ScrolledTable label="Table of queues">
          <thead>
            <tr>
              <th scope="col">Queue</th>
              {FIGURE_TITLES.map((name) => (
                <th key={name} scope="col" className="number">
                  {name}
                </th>
              ))}
              <th scope="col">
                <span className="hidden">What to do</span>
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

const aboutCleaning = ({ name }: Queue, go: () => void): Question => ({
  title: `Clean ${name}?`,
  text: 'This removes jobs that have ended and jobs that nothing waits for any more. Work that is still to be done stays.',
  action: 'Clean',
  act: go,
  isDanger: true,
});
