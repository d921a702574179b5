import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FeedDocument } from '../../src/fetching/fetcher.js';
import { ThreadTimeout } from '../../src/platform/threads/thread-error.js';
import { ThreadPool } from '../../src/platform/threads/thread-pool.js';
import type { HtmlSanitiser } from '../../src/posts/html-sanitiser.js';
import type { CorpusAnswer } from './corpus.thread.js';
import { type CorpusDocument, codeOf } from './corpus-documents.js';
import { NO_ADDRESS, withSafeContent } from './corpus-result.js';
import { type CorpusSummary, count, LATE_MS, nothingYet, type Outcome } from './corpus-summary.js';

const THREADS = 2;
const LIMITS = { timeoutMs: LATE_MS, memoryMb: 512 };

interface Corpus {
  folder: string;
  documents: CorpusDocument[];
  sanitiser: HtmlSanitiser;
  write(line: Outcome['line']): Promise<void>;
}

export interface CorpusRun extends CorpusSummary {
  /** The longest delay of the main thread's event loop. */
  delayMilliseconds: number;
}

/** Reads each document as a fetch does: it is parsed in one thread, with limits, and sanitised in another. */
export async function readCorpus({ folder, documents, sanitiser, write }: Corpus): Promise<CorpusRun> {
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
      const outcome = await outcomeOf(document, { folder, threads, sanitiser });
      count(summary, outcome, performance.now() - started);
      await write(outcome.line);
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

/** Starts the threads first, so that they do not make the first documents look slow. */
async function warmUp(threads: Reading['threads'], sanitiser: HtmlSanitiser): Promise<void> {
  const empty = () => threads.run({ body: new Uint8Array(), url: NO_ADDRESS });
  await Promise.all([...Array.from({ length: THREADS }, empty), sanitiser.make([{ html: '<b>x</b>' }])]);
}

interface Reading extends Pick<Corpus, 'folder' | 'sanitiser'> {
  threads: ThreadPool<FeedDocument, CorpusAnswer>;
}

async function outcomeOf(document: CorpusDocument, { folder, threads, sanitiser }: Reading): Promise<Outcome> {
  const { file, url = NO_ADDRESS, contentType, contentLocation } = document;
  const failed = (end: Outcome['end'], error: string) => ({ end, line: { file, ok: false, error, result: null } });
  let body: Uint8Array<ArrayBuffer>;
  try {
    body = new Uint8Array(await readFile(join(folder, file)));
  } catch (error) {
    return failed('missing', `could not read the file (${codeOf(error)})`);
  }
  try {
    const answer = await threads.run({ body, contentType, contentLocation, url }, [body.buffer]);
    if ('refusal' in answer) return failed('refused', answer.refusal);
    const result = withSafeContent(answer.result, await sanitiser.make(answer.unsafe));
    return { end: 'read', line: { file, ok: true, error: null, result } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(error instanceof ThreadTimeout ? 'timed out' : 'crashed', reason);
  }
}
