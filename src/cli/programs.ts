import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { action, type Command, EXIT, UsageError } from './command.js';

interface Program {
  name: string;
  summary: string;
  /** Below dist/. */
  file: string;
  args?: { name: string; least: number; most: number; raw?: true };
  notes: string;
}

/** Runs in this very process, so that signals and the exit code are its own. */
const program = ({ name, summary, file, args, notes }: Program): Command => ({
  name,
  summary,
  actions: [
    action({
      summary,
      ...(args && { args }),
      options: {},
      notes,
      async run({ args: given }) {
        const url = new URL(`../../${file}`, import.meta.url);
        if (!existsSync(url))
          throw new UsageError(
            `\`${name}\` is not part of this installation; run \`npm run ${name}\` in a clone of the project`,
          );
        process.argv = [process.argv[0] ?? '', fileURLToPath(url), ...given];
        await import(url.href);
        return EXIT.done;
      },
    }),
  ],
});

export const start = program({
  name: 'start',
  summary: 'starts Millrace and stays in the foreground, as npm start does',
  file: 'program/main.js',
  notes: '`millrace config` shows with which configuration. Ctrl+C stops it.',
});

export const demo = program({
  name: 'demo',
  summary: 'starts Millrace with made-up sites and platforms on this machine, as npm run demo does',
  file: 'demo-program/demo-millrace.js',
  notes: 'It needs no internet and no keys, and does not touch your data. Ctrl+C stops it.',
});

export const bench = program({
  name: 'bench',
  summary: 'measures, as npm run bench does',
  file: 'bench/bench.js',
  args: { name: 'name', least: 0, most: Number.POSITIVE_INFINITY, raw: true },
  notes: 'Without a name it lists those that there are. Prints a table and writes bench/results/<name>.json.',
});
