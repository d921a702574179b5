import { ProblemNote } from '../../design/problem-note';
import { RelativeTime } from '../../design/relative-time';
import { Waiting } from '../../design/waiting';
import { runningSummary } from './running-summary';
import { ScrolledTable } from './scrolled-table';
import { useWorkers, type Worker } from './use-health';

export function WorkersTable() {
  const { data, error, refetch } = useWorkers();
  return (
    <section className="panel" aria-labelledby="workers">
      <h2 id="workers">Workers</h2>
      {error && !data && <ProblemNote error={error} onRetry={() => refetch()} />}
      {!error && !data && <Waiting for="workers" />}
      {data && !data.items.length && <p>No worker process is running. Start one with the worker role.</p>}
      {data && data.items.length > 0 && (
        <ScrolledTable label="Workers">
          <thead>
            <tr>
              {['Process', 'Roles', 'Running jobs', 'Version', 'Started', 'Last seen'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.items.map((worker) => (
              <WorkerRow key={worker.id} worker={worker} />
            ))}
          </tbody>
        </ScrolledTable>
      )}
    </section>
  );
}

function WorkerRow({ worker: { host, pid, roles, version, startedAt, lastSeenAt, running } }: { worker: Worker }) {
  return (
    <tr>
      <th scope="row">
        {host}, {pid}
      </th>
      <td>{roles.join(', ')}</td>
      <td>
        <RunningJobs pools={running} />
      </td>
      <td>{version}</td>
      <td>
        <RelativeTime at={startedAt} />
      </td>
      <td>
        <RelativeTime at={lastSeenAt} />
      </td>
    </tr>
  );
}

function RunningJobs({ pools }: { pools: Worker['running'] }) {
  const jobs = pools.flatMap(({ queue, jobs }) => jobs.map((job) => ({ ...job, queue })));
  const words = runningSummary(pools);
  if (!jobs.length) return words;
  return (
    <details>
      <summary>{words}</summary>
      <ul className="health-running">
        {jobs.map(({ queue, jobId, subject, startedAt }) => (
          <li key={`${queue} ${jobId}`}>
            {queue} <span className="health-subject">{subject}</span>, started <RelativeTime at={startedAt} />
          </li>
        ))}
      </ul>
    </details>
  );
}
