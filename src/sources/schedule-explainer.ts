import type { FetchState } from './fetch-states.table.js';
import type { SourceRow } from './sources.table.js';

export interface ExplainedSchedule {
  /** 1 is most urgent; null for a source that is not fetched. */
  priority: number | null;
  /** Why the interval is what it is, in sentences. */
  because: string[];
}

/** Says why a source is fetched when it is. `fetching/` provides it. */
export abstract class ScheduleExplainer {
  abstract explain(source: SourceRow, state: FetchState): ExplainedSchedule;
}
