import { RelativeTime } from '../../design/relative-time';
import { runningInWords } from './running-in-words';
import type { Worker } from './use-health';

/** What a process runs just now: how much, and on demand what. */
export function RunningJobs({ pools }: { pools: Worker['running'] }) {
  const jobs = pools.flatMap(({ queue, jobs }) => jobs.map((job) => ({ ...job, queue })));
  const words = runningInWords(pools);
  if (!jobs.length) return words;
  return (
    <details>
      <summary>{words}</summary>
      <ul className="health-running">
        {jobs.map(({ queue, jobId, subject, startedAt }) => (
          <li key={`${queue} ${jobId}`}>
            {queue} <span className="health-subject">{subject}</span>, begun <RelativeTime at={startedAt} />
          </li>
        ))}
      </ul>
    </details>
  );
}
