import type { FeedResult } from './corpus-result.js';

/** Milliseconds from the file to safe content above which a document is late. */
export const LATE_MS = 2_000;

/** A line of the results. */
interface CorpusLine {
  file: string;
  ok: boolean;
  error: string | null;
  result: FeedResult | null;
}

/** How reading a document ended. It crashed if reading failed because of a defect in Millrace. */
export interface Outcome {
  end: 'read' | 'refused' | 'timed out' | 'missing' | 'crashed';
  line: CorpusLine;
}

export interface CorpusSummary {
  read: number;
  refused: number;
  /** All documents, however they ended. */
  late: number;
  /** Files that could not be opened. */
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
