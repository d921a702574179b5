import { Injectable } from '@nestjs/common';
import { JobStatistics } from '../job-statistics.js';
import type { EndedRun } from './ended-run.js';
import { RunHistory } from './run-history.js';
import { RunMetrics } from './run-metrics.js';

/** All who want to know how a run ended. None of them takes longer than writing down a number. */
@Injectable()
export class RunRecords {
  constructor(
    private readonly statistics: JobStatistics,
    private readonly metrics: RunMetrics,
    private readonly history: RunHistory,
  ) {}

  add(run: EndedRun): void {
    this.statistics.count(run);
    this.metrics.count(run);
    this.history.add(run);
  }
}
