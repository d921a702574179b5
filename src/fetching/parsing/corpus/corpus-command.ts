import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { HtmlSanitiser } from '../../../posts/html-sanitiser.js';
import { codeOf, corpusDocuments, UnreadableCorpus } from './corpus-documents.js';
import { type CorpusRun, readCorpus } from './read-corpus.js';

const USAGE = `Usage: npm run corpus -- --in DIR --out FILE

Reads the feeds that DIR/manifest.json lists, or else every file in DIR, as the engine does,
and writes what it read to FILE: one JSON object a line.
`;
const MOST_SHOWN = 20;

interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** 0; or 1 if there was nothing to read, or a file is missing or could not be read through a fault of ours; or 2 if it was called wrongly. */
export async function corpusCommand(args: string[], { out: say, err: complain }: Output): Promise<number> {
  const given = options(args);
  if (!given) {
    complain(USAGE);
    return 2;
  }
  const sanitiser = new HtmlSanitiser(pino({ level: 'silent' }));
  try {
    const documents = await corpusDocuments(given.in);
    const out = await openOut(given.out);
    const run = await readCorpus({ folder: given.in, documents, sanitiser, write: lineByLine(out) }).finally(() =>
      out.close(),
    );
    say(told(run, given.out));
    return run.crashed.length + run.missing.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UnreadableCorpus)) throw error;
    complain(`${error.message}\n`);
    return 1;
  } finally {
    await sanitiser.onApplicationShutdown();
  }
}

function options(args: string[]): { in: string; out: string } | undefined {
  try {
    const { values } = parseArgs({ args, options: { in: { type: 'string' }, out: { type: 'string' } } });
    return values.in && values.out ? { in: resolve(values.in), out: resolve(values.out) } : undefined;
  } catch (error) {
    if (error instanceof TypeError) return undefined; // an option that it does not have
    throw error;
  }
}

async function openOut(path: string): Promise<FileHandle> {
  try {
    await mkdir(dirname(path), { recursive: true });
    return await open(path, 'w');
  } catch (error) {
    throw new UnreadableCorpus(`${path} cannot be written (${codeOf(error)}). Give another file with --out.`);
  }
}

/** Each after the one before is written, whoever gives it. */
function lineByLine(out: FileHandle): (line: unknown) => Promise<void> {
  let last = Promise.resolve();
  return (line) => {
    last = last.then(() => out.appendFile(`${JSON.stringify(line)}\n`));
    return last;
  };
}

function told({ read, refused, late, missing, crashed, slowest, delayMilliseconds }: CorpusRun, out: string): string {
  return `${[
    `${read} files were read, ${refused} refused because they are no feeds, ${late} took longer than 2 seconds, ${crashed.length} crashed.`,
    `The slowest took ${Math.round(slowest.milliseconds)} ms, from the file to safe content: ${slowest.file}`,
    `The main thread was held up for ${Math.round(delayMilliseconds)} ms at most.`,
    ...(missing.length ? [`${missing.length} are listed and could not be opened.`] : []),
    ...missing.slice(0, MOST_SHOWN).map((one) => `Missing: ${one}`),
    ...crashed.slice(0, MOST_SHOWN).map((one) => `Crashed: ${one}`),
    `Results: ${out}`,
  ].join('\n')}\n`;
}
