import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { action, type Command, EXIT, UsageError } from './command.js';

interface Program {
  name: string;
  summary: string;
  /** Relative to dist/. */
  file: string;
  args?: { name: string; min: number; max: number; raw?: true };
  notes: string;
}

/** Runs the program in this process, so that it receives signals and sets the exit code itself. */
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
            `\`${name}\` is not part of this installation. Run \`npm run ${name}\` in a clone of the project.`,
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
  summary: 'Starts Millrace in the foreground, like `npm start`',
  file: 'program/main.js',
  notes: '`millrace config` shows the configuration that it uses. Ctrl+C stops it.',
});

export const demo = program({
  name: 'demo',
  summary: 'Starts Millrace with simulated sites and platforms, like `npm run demo`',
  file: 'demo-program/demo-millrace.js',
  notes: 'The demo needs no internet connection and no keys, and does not change your data. Ctrl+C stops it.',
});

export const bench = program({
  name: 'bench',
  summary: 'Runs benchmarks, like `npm run bench`',
  file: 'bench/bench.js',
  args: { name: 'name', min: 0, max: Number.POSITIVE_INFINITY, raw: true },
  notes: 'Without a name it lists the benchmarks. Each prints a table and writes bench/results/<name>.json.',
});
