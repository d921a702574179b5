import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { HtmlSanitiser } from '../../src/posts/html-sanitiser.js';
import { codeOf, corpusDocuments, UnreadableCorpus } from './corpus-documents.js';
import { type CorpusRun, readCorpus } from './read-corpus.js';
import { type DamagedRun, readDamaged, SLOW_MS } from './read-damaged.js';

const USAGE = `Usage: npm run corpus -- --in DIR --out FILE
       npm run corpus -- --mutate [--in DIR] [--seed NUMBER] [--feeds NUMBER]

Reads the feeds that DIR/manifest.json lists, or else every file in DIR, as the engine does,
and writes what it read to FILE: one JSON object a line.

--mutate damages the feeds with the most posts in 20 ways and prints how many of their posts are still read.
DIR is ../shared/corpus by default.
`;
const DEFAULT_FOLDER = '../shared/corpus';
const DEFAULT_SEED = 1;
const DEFAULT_FEEDS = 300;
const MAX_SHOWN = 20;

interface Output {
  out(text: string): void;
  err(text: string): void;
}

/**
 * Returns the exit code: 0; 1 if there was nothing to read, a file is missing, or Millrace failed to read one; 2 if the arguments
 * are invalid.
 */
export async function corpusCommand(args: string[], { out: say, err: complain }: Output): Promise<number> {
  const given = options(args);
  if (!given) {
    complain(USAGE);
    return 2;
  }
  try {
    return await ('out' in given ? readAsItIs(given, say) : readMutated(given, say));
  } catch (error) {
    if (!(error instanceof UnreadableCorpus)) throw error;
    complain(`${error.message}\n`);
    return 1;
  }
}

async function readAsItIs({ folder, out: path }: ReadOptions, say: Output['out']): Promise<number> {
  const sanitiser = new HtmlSanitiser(pino({ level: 'silent' }));
  try {
    const documents = await corpusDocuments(folder);
    const out = await openOut(path);
    const run = await readCorpus({ folder, documents, sanitiser, write: lineByLine(out) }).finally(() => out.close());
    say(readReport(run, path));
    return run.crashed.length + run.missing.length === 0 ? 0 : 1;
  } finally {
    await sanitiser.onApplicationShutdown();
  }
}

async function readMutated({ folder, seed, feeds }: MutateOptions, say: Output['out']): Promise<number> {
  const run = await readDamaged({ folder, documents: await corpusDocuments(folder), seed, feeds });
  say(damageReport(run));
  const summaries = [...run.byKind.values()];
  return run.crashed.length === 0 && summaries.every(({ empty, slow }) => empty + slow === 0) ? 0 : 1;
}

interface ReadOptions {
  folder: string;
  out: string;
}

interface MutateOptions {
  folder: string;
  seed: number;
  feeds: number;
}

function options(args: string[]): ReadOptions | MutateOptions | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: {
        in: { type: 'string' },
        out: { type: 'string' },
        mutate: { type: 'boolean' },
        seed: { type: 'string' },
        feeds: { type: 'string' },
      },
    });
    if (values.mutate) {
      const [seed, feeds] = [Number(values.seed ?? DEFAULT_SEED), Number(values.feeds ?? DEFAULT_FEEDS)];
      const isValid = Number.isInteger(seed) && Number.isInteger(feeds) && feeds > 0 && values.out === undefined;
      return isValid ? { folder: resolve(values.in ?? DEFAULT_FOLDER), seed, feeds } : undefined;
    }
    if (values.seed !== undefined || values.feeds !== undefined) return undefined;
    return values.in && values.out ? { folder: resolve(values.in), out: resolve(values.out) } : undefined;
  } catch (error) {
    if (error instanceof TypeError) return undefined; // an unknown option
    throw error;
  }
}

async function openOut(path: string): Promise<FileHandle> {
  try {
    await mkdir(dirname(path), { recursive: true });
    return await open(path, 'w');
  } catch (error) {
    throw new UnreadableCorpus(`Could not write ${path} (${codeOf(error)}). Give another file with --out.`);
  }
}

/** Writes lines one after the other, also those of concurrent callers. */
function lineByLine(out: FileHandle): (line: unknown) => Promise<void> {
  let last = Promise.resolve();
  return (line) => {
    last = last.then(() => out.appendFile(`${JSON.stringify(line)}\n`));
    return last;
  };
}

function readReport(
  { read, refused, late, missing, crashed, slowest, delayMilliseconds }: CorpusRun,
  out: string,
): string {
  return `${[
    `${read} files were read, ${refused} refused because they are not feeds, ${late} took longer than 2 seconds, ${crashed.length} crashed.`,
    `The slowest took ${Math.round(slowest.milliseconds)} ms, from the file to safe content: ${slowest.file}`,
    `The main thread was blocked for at most ${Math.round(delayMilliseconds)} ms.`,
    ...(missing.length ? [`${missing.length} listed files could not be opened.`] : []),
    ...missing.slice(0, MAX_SHOWN).map((one) => `Missing: ${one}`),
    ...crashed.slice(0, MAX_SHOWN).map((one) => `Crashed: ${one}`),
    `Results: ${out}`,
  ].join('\n')}\n`;
}

function damageReport({ feeds, byKind, slowestMs, crashed }: DamagedRun): string {
  const lines = [...byKind].map(([kind, { posts, kept, refused, empty, slow }]) => {
    const share = ((100 * kept) / posts).toFixed(1);
    return `${kind.padEnd(32)}${share.padStart(5)} % kept, ${refused} refused, ${empty} empty, ${slow} slow`;
  });
  return `${[
    `${feeds} feeds were damaged in ${byKind.size} ways. Share of their posts that are still read, and documents that were`,
    `refused with an error, read without posts and without an error, or took longer than ${SLOW_MS / 1_000} seconds of CPU:`,
    ...lines,
    `The slowest took ${Math.round(slowestMs)} ms of CPU, ${crashed.length} crashed.`,
    ...crashed.slice(0, MAX_SHOWN).map((one) => `Crashed: ${one}`),
  ].join('\n')}\n`;
}
