import { RelativeTime } from '../../design/relative-time';
import { runningSummary } from './running-summary';
import type { Worker } from './use-health';

export function RunningJobs({ pools }: { pools: Worker['running'] }) {
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
