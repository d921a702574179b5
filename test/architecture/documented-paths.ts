import { importsOf } from './imports-of.js';
import type { SourceFile } from './source-tree.js';

/** A path through the code: its name, and its files in the order in which they are called. */
export interface DocumentedPath {
  readonly name: string;
  readonly steps: readonly Step[];
}
interface Step {
  /** From the repository's root. */
  readonly file: string;
  /** Whether a queue or an event, not a call, leads to the file. */
  readonly isQueued: boolean;
}

/** Reads the table below the heading `Files on each path`. `→` is a call, `⇢` leads through a queue, an event or a timer. */
export function readPaths(markdown: string): DocumentedPath[] {
  const [, section = ''] = markdown.split(/^#+ Files on each path$/m);
  const [ownSection = ''] = section.split(/^#/m);
  const rows = ownSection.split('\n').filter((line) => /^\| *\w+ *\|.*`/.test(line));
  return rows.map((row) => {
    const [, name = '', cell = ''] = row.split('|');
    const steps = [...cell.matchAll(/(→|⇢)?\s*`([^`]+)`/g)].map(([, arrow, file]) => ({
      file: `src/${file}`,
      isQueued: arrow === '⇢',
    }));
    return { name: name.trim(), steps };
  });
}

/** Lists the steps that do not exist, and the calls whose file is imported by no earlier file of the path. */
export function brokenSteps({ name, steps }: DocumentedPath, files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return steps.flatMap(({ file, isQueued }, at) => {
    if (!byPath.has(file)) return [`${name}: ${file} does not exist`];
    const earlier = steps.slice(0, at).flatMap((step) => byPath.get(step.file) ?? []);
    const isImported = earlier.some((caller) => importsOf(caller).includes(file));
    return at === 0 || isQueued || isImported ? [] : [`${name}: no earlier file imports ${file}`];
  });
}
