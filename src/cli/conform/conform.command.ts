import { action, type Command, type Terminal } from '../command.js';
import { type ConformOptions, OPTIONS, readOptions } from './options.js';
import { PROBES } from './probes.js';
import { ReportTable, toReport, type Verdict } from './report.js';
import { type Finding, runProbes } from './run-probes.js';
import { Target } from './target.js';
import { WorkerLine } from './worker-line.js';

const NOTES = `The queue is fetch.<type> or scrape.<type>, and the worker may be in whatever language. Commands are real ones: the
worker asks its site. What it leaves unanswered ends in fetch.dlq.

Probes:
${PROBES.map(({ name, checks }) => `  ${name.padEnd(22)}  ${checks}\n`).join('')}
Exit code: 0 the worker conforms, 1 it does not, 2 that cannot be told: wrong usage, an account that has to be named, or
RabbitMQ cannot be reached.
`;

const SUMMARY = 'probes a running worker and tells where it breaks the contract';

const EXIT_CODES: Record<Verdict, number> = { conforms: 0, 'does not conform': 1, 'cannot be judged': 2 };

export const conform: Command = {
  name: 'conform',
  summary: SUMMARY,
  actions: [
    action({
      summary: SUMMARY,
      args: { name: 'queue', least: 1, most: 1, example: 'fetch.instagram' },
      options: OPTIONS,
      notes: NOTES,
      async run(given, terminal) {
        const options = readOptions(given, terminal.environment);
        const line = await WorkerLine.open(options);
        try {
          return await probe(new Target({ ...options, line }), options, terminal);
        } finally {
          await line.close();
        }
      },
    }),
  ],
};

async function probe(target: Target, { queue, probes, json }: ConformOptions, terminal: Terminal): Promise<number> {
  const table = new ReportTable(probes, terminal.colours);
  const tell = (text: string) => json || terminal.out(text);
  tell(table.head());
  const report = toReport(queue, await runProbes(probes, target, (finding: Finding) => tell(table.row(finding))));
  tell(table.foot(report));
  if (json) terminal.out(`${JSON.stringify(report, null, 2)}\n`);
  return EXIT_CODES[report.verdict];
}
