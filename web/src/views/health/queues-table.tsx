import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { answer, api } from '../../api/client';
import { useAnnounce } from '../../design/announcer';
import { Badge } from '../../design/badge';
import { type Confirmation, ConfirmDialog } from '../../design/confirm-dialog';
import { countOf } from '../../design/count-of';
import { ProblemNote } from '../../design/problem-note';
import { Waiting } from '../../design/waiting';
import type { Canary } from './canary-age';
import { FIGURE_TITLES, queueFigures } from './queue-figures';
import { paramsOf } from './run-filter';
import { ScrolledTable } from './scrolled-table';
import { type Queue, useQueues, useWorkers } from './use-health';

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

interface Props {
  queue: Queue;
  figures: [title: string, value: string][];
  isBusy: boolean;
  onAct: (what: QueueAction) => void;
}

const runsOf = (queue: string) => `/health?${new URLSearchParams(paramsOf({ show: 'all', queue }))}`;
const focusRuns = () => document.getElementById('runs')?.focus();

function QueueRow({ queue: { name, paused }, figures, isBusy, onAct }: Props) {
  const [does, what] = paused ? (['Resume', 'resume'] as const) : (['Pause', 'pause'] as const);
  return (
    <tr>
      <th scope="row">
        <Link href={runsOf(name)} title={`Recent runs of ${name}`} onClick={focusRuns}>
          {name}
        </Link>{' '}
        {paused && <Badge tone="warning">paused</Badge>}
      </th>
      {figures.map(([title, value]) => (
        <td key={title} className="number">
          {value}
        </td>
      ))}
      <td>
        <div className="health-acts">
          <button type="button" aria-label={`${does} ${name}`} disabled={isBusy} onClick={() => onAct(what)}>
            {does}
          </button>
          <button type="button" aria-label={`Clean ${name}`} disabled={isBusy} onClick={() => onAct('clean')}>
            Clean
          </button>
        </div>
      </td>
    </tr>
  );
}

type QueueAction = 'pause' | 'resume' | 'clean';

function useQueueMutation() {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: actOn,
    onSuccess: announce,
    onSettled: () => client.invalidateQueries({ queryKey: ['queues'] }),
  });
}

async function actOn({ name, what }: { name: string; what: QueueAction }): Promise<string> {
  const params = { path: { name } };
  if (what === 'clean') {
    const { removed } = await answer(api.POST('/api/v1/queues/{name}/clean', { params }));
    return `${countOf(removed, 'job')} removed from ${name}.`;
  }
  if (what === 'pause') {
    await answer(api.POST('/api/v1/queues/{name}/pause', { params }));
    return `${name} is paused. Running jobs finish; new jobs wait.`;
  }
  await answer(api.POST('/api/v1/queues/{name}/resume', { params }));
  return `${name} is running again.`;
}
