import type { FeedResult } from './corpus-result.js';

/** For all of it, from the file to safe content. */
export const LATE_MS = 2_000;

/** A line of the results. */
interface CorpusLine {
  file: string;
  ok: boolean;
  error: string | null;
  result: FeedResult | null;
}

/** How it went with a document. It crashed if reading went wrong for a reason that is not the document's. */
export interface Outcome {
  end: 'read' | 'refused' | 'timed out' | 'missing' | 'crashed';
  line: CorpusLine;
}

export interface CorpusSummary {
  read: number;
  refused: number;
  /** However they ended. */
  late: number;
  /** Could not be opened. */
  missing: string[];
  crashed: string[];
  slowest: { file: string; milliseconds: number };
}

export function nothingYet(): CorpusSummary {
  return { read: 0, refused: 0, late: 0, missing: [], crashed: [], slowest: { file: '', milliseconds: 0 } };
}

export function count(summary: CorpusSummary, { end, line }: Outcome, milliseconds: number): void {
  const { file, error } = line;
  if (end === 'read' || end === 'refused') summary[end]++;
  if (end === 'missing' || end === 'crashed') summary[end].push(`${file}: ${error}`);
  if (end === 'timed out' || milliseconds > LATE_MS) summary.late++;
  if (milliseconds > summary.slowest.milliseconds) summary.slowest = { file, milliseconds };
}
