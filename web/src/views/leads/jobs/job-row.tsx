import { Link } from 'wouter';
import { Badge } from '../../../design/badge';
import { ProgressBar } from '../../../design/progress-bar';
import { RelativeTime } from '../../../design/relative-time';
import { jobPath } from '../job-keys';
import { countsOf, countsText, isEnded, jobTitle, progressOf, type ScrapeJob, STATUS_LABELS } from '../scrape-job';
import { sourceName } from '../search/source-types';

export function JobRow({ job }: { job: ScrapeJob }) {
  const { name, tone } = STATUS_LABELS[job.status];
  return (
    <li className="job-row">
      <Badge tone={tone}>{name}</Badge>
      <Link href={jobPath(job.id)} className="job-title">
        {jobTitle(job)}
      </Link>
      <span className="soft small">{job.source_types.map(sourceName).join(', ')}</span>
      <span className="job-when soft small">
        <RelativeTime at={job.created_at} />
      </span>
      <div className="job-progress">
        {!isEnded(job) && <ProgressBar label={`Progress of ${jobTitle(job)}`} {...progressOf(job)} />}
      </div>
      <span className="job-counts small">
        {isEnded(job) && !job.total_found ? 'No results' : countsText(countsOf(job))}
      </span>
      {job.error && <span className="job-error mistake">{job.error}</span>}
    </li>
  );
}
