import { Injectable } from '@nestjs/common';
import { RunHistory } from '../../platform/jobs/runs/run-history.js';
import type { WorkReport } from '../../platform/jobs/work-result.js';
import { type FetchCause, type FetchOutcome, fetching } from './fetch-jobs.js';

interface OtherFetch {
  source: { id: string; type: string };
  cause: FetchCause;
  startedAt: Date;
  report: WorkReport & { result: FetchOutcome };
}

/** Adds entries to the run history for events without a run of the fetch job, such as a push. */
@Injectable()
export class FetchLog {
  constructor(private readonly history: RunHistory) {}

  add({ source, cause, startedAt, report }: OtherFetch): void {
    const kind = fetching.results[report.result];
    this.history.add({
      queue: `fetch-${source.type}`,
      jobId: cause,
      subject: source.id,
      attempt: 1,
      outcome: { kind: 'done' },
      startedAt,
      waitedMs: null,
      ms: Math.max(0, Date.now() - startedAt.getTime()),
      work: { ...report, feature: fetching.name, kind, cause },
    });
  }
}
