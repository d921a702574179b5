import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ThreadTimeout } from '../../../platform/threads/thread-error.js';
import { ThreadPool } from '../../../platform/threads/thread-pool.js';
import type { HtmlSanitiser } from '../../../posts/html-sanitiser.js';
import type { FeedDocument } from '../../fetcher.js';
import type { CorpusAnswer } from './corpus.thread.js';
import type { CorpusDocument } from './corpus-documents.js';
import { type FeedResult, NO_ADDRESS, withSafeContent } from './corpus-result.js';

const THREADS = 2;
const LIMITS = { timeoutMs: 2_000, memoryMb: 512 };

/** A line of the results. */
export interface CorpusLine {
  file: string;
  ok: boolean;
  error: string | null;
  result: FeedResult | null;
}

export interface CorpusSummary {
  read: number;
  refused: number;
  /** Over the limit of time. */
  late: number;
  /** Where reading went wrong for a reason that is not the document's. */
  crashed: string[];
  slowest: { file: string; milliseconds: number };
  /** Of the main thread's event loop, at worst. */
  delayMilliseconds: number;
}

interface Corpus {
  folder: string;
  documents: CorpusDocument[];
  sanitiser: HtmlSanitiser;
  write(line: CorpusLine): Promise<void>;
}

/** Reads each document as a fetch does: in a thread, with limits, and made safe to show in another. */
export async function readCorpus({ folder, documents, sanitiser, write }: Corpus): Promise<CorpusSummary> {
  const threads = new ThreadPool<FeedDocument, CorpusAnswer>({
    module: new URL('./corpus.thread.js', import.meta.url),
    size: THREADS,
    ...LIMITS,
  });
  const summary = nothingYet();
  await warmUp(threads, sanitiser);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const waiting = documents.values();
  const readOn = async () => {
    for (const document of waiting) {
      const started = performance.now();
      const line = await lineOf(document, { folder, threads, sanitiser, summary });
      const milliseconds = performance.now() - started;
      if (milliseconds > summary.slowest.milliseconds) summary.slowest = { file: document.file, milliseconds };
      await write(line);
    }
  };
  try {
    await Promise.all(Array.from({ length: THREADS }, readOn));
  } finally {
    delay.disable();
    await threads.close();
  }
  return { ...summary, delayMilliseconds: Math.max(0, delay.max / 1e6 - 10) };
}

/** So that the first documents do not seem slow because threads start. */
async function warmUp(threads: Reading['threads'], sanitiser: HtmlSanitiser): Promise<void> {
  const empty = () => threads.run({ body: new Uint8Array(), url: NO_ADDRESS });
  await Promise.all([...Array.from({ length: THREADS }, empty), sanitiser.make([{ html: '<b>x</b>' }])]);
}

interface Reading extends Pick<Corpus, 'folder' | 'sanitiser'> {
  threads: ThreadPool<FeedDocument, CorpusAnswer>;
  summary: CorpusSummary;
}

async function lineOf(document: CorpusDocument, { folder, threads, sanitiser, summary }: Reading): Promise<CorpusLine> {
  const { file, url = NO_ADDRESS, contentType, contentLocation } = document;
  try {
    const body = new Uint8Array(await readFile(join(folder, file)));
    const answer = await threads.run({ body, contentType, contentLocation, url }, [body.buffer]);
    if ('refusal' in answer) {
      summary.refused++;
      return { file, ok: false, error: answer.refusal, result: null };
    }
    const result = withSafeContent(answer.result, await sanitiser.make(answer.unsafe));
    summary.read++;
    return { file, ok: true, error: null, result };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof ThreadTimeout) summary.late++;
    else summary.crashed.push(`${file}: ${reason}`);
    return { file, ok: false, error: reason, result: null };
  }
}

function nothingYet(): CorpusSummary {
  return {
    read: 0,
    refused: 0,
    late: 0,
    crashed: [],
    slowest: { file: '', milliseconds: 0 },
    delayMilliseconds: 0,
  };
}
