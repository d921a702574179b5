import type { Command, Terminal } from '../command.js';
import { type ConformOptions, readOptions } from './options.js';
import { PROBES } from './probes.js';
import { ReportTable, toReport, type Verdict } from './report.js';
import { type Finding, runProbes } from './run-probes.js';
import { Target } from './target.js';
import { WorkerLine } from './worker-line.js';

const HELP = `Usage: millrace conform <queue> [options]

Probes a running worker, in whatever language, through its queue (fetch.<type> or scrape.<type>) and tells what it does
otherwise than the contract wants. Commands are real ones: the worker asks its site. What it leaves unanswered ends in
fetch.dlq.

Options:
  --account <externalId>  an account that exists (default: nasa)
  --unknown <externalId>  an account that does not exist (default: a random name)
  --query <text>          what a scraper is to look for (default: coffee)
  --timeout <duration>    how long each answer is waited for, such as 30s or 2m (default: 30s)
  --only <probe,probe>    these probes only, after worker-present
  --url <amqp://…>        RabbitMQ (default: RABBITMQ_URL)
  --exchange <name>       the exchange of the commands (default: MILLRACE_RABBITMQ_EXCHANGE, or source.fetcher)
  --json                  the report as JSON

Probes:
${PROBES.map(({ name, checks }) => `  ${name.padEnd(22)}  ${checks}\n`).join('')}
Exit code: 0 the worker conforms, 1 it does not, 2 that cannot be told: wrong usage, an account that has to be named, or
RabbitMQ cannot be reached.
`;

const EXIT_CODES: Record<Verdict, number> = { conforms: 0, 'does not conform': 1, 'cannot be judged': 2 };

export const conform: Command = {
  name: 'conform',
  summary: 'probes a running worker and tells where it breaks the contract',
  help: HELP,
  async run(args, terminal) {
    const options = readOptions(args, terminal.environment);
    const line = await WorkerLine.open(options);
    try {
      return await probe(new Target({ ...options, line }), options, terminal);
    } finally {
      await line.close();
    }
  },
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
