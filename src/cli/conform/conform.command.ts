import { action, type Command, type Terminal } from '../command.js';
import { printable } from '../show/text.js';
import { Breach, NotProbed } from './breach.js';
import { CommandClient } from './command-client.js';
import { type ConformOptions, OPTIONS, readOptions } from './options.js';
import { goodCommand } from './probes/good-command.js';
import { workerPresent } from './probes/worker-present.js';
import { PROBES } from './probes.js';
import { type Probe, Target } from './target.js';

const skip = ({ name, checks }: Probe, details: string): Finding => ({
  probe: name,
  checks,
  result: 'skipped',
  details,
});

const SIGNS = { pass: '✓', breach: '✗', skipped: '–' };

const COLOURS = { pass: 32, breach: 31, skipped: 90 };

/** Details quote the worker, so they are truncated. */
const MAX_CHARACTERS = 500;

const NOTES = `The queue is fetch.<type> or scrape.<type>. Commands are real: the worker sends requests to its site. Commands that it does
not answer end up in fetch.dlq.

Probes:
${PROBES.map(({ name, checks }) => `  ${name.padEnd(22)}  ${checks}\n`).join('')}
Exit code: 0 if the worker conforms, 1 if it does not, 2 if it cannot be judged because of wrong usage, an unknown account or
an unreachable RabbitMQ.
`;

const SUMMARY = 'Checks whether a running worker conforms to the contract';

const EXIT_CODES: Record<Verdict, number> = { conforms: 0, 'does not conform': 1, 'cannot be judged': 2 };

export const conform: Command = {
  name: 'conform',
  summary: SUMMARY,
  actions: [
    action({
      summary: SUMMARY,
      args: { name: 'queue', min: 1, max: 1, example: 'fetch.instagram' },
      options: OPTIONS,
      notes: NOTES,
      async run(given, terminal) {
        const options = readOptions(given, terminal.environment);
        const client = await CommandClient.open(options);
        try {
          return await probe(new Target({ ...options, client }), options, terminal);
        } finally {
          await client.close();
        }
      },
    }),
  ],
};

async function probe(target: Target, { queue, probes, json }: ConformOptions, terminal: Terminal): Promise<number> {
  const table = new ReportTable(probes, terminal.colours);
  const print = (text: string) => json || terminal.out(text);
  print(table.head());
  const report = toReport(queue, await runProbes(probes, target, (finding: Finding) => print(table.row(finding))));
  print(table.foot(report));
  if (json) terminal.out(`${JSON.stringify(report, null, 2)}\n`);
  return EXIT_CODES[report.verdict];
}

type Verdict = 'conforms' | 'does not conform' | 'cannot be judged';

export interface Report {
  queue: string;
  verdict: Verdict;
  probes: Finding[];
}

function toReport(queue: string, probes: Finding[]): Report {
  return { queue, verdict: verdictOn(probes), probes };
}

function verdictOn(probes: Finding[]): Verdict {
  if (probes.some(({ result }) => result === 'breach')) return 'does not conform';
  // A worker that refuses everything would pass most of the other probes.
  const good = probes.find(({ probe }) => probe === goodCommand.name);
  return good?.result === 'skipped' ? 'cannot be judged' : 'conforms';
}

/** A table whose rows are printed one by one. */
class ReportTable {
  private readonly width: number;

  constructor(
    probes: readonly Probe[],
    private readonly colours: boolean,
  ) {
    this.width = Math.max(...probes.map(({ name }) => name.length));
  }

  head(): string {
    return this.line('probe', 'result', 'details');
  }

  row({ probe, result, details }: Finding): string {
    const sign = SIGNS[result].padEnd('result'.length);
    return this.line(probe, this.colours ? `\u001b[${COLOURS[result]}m${sign}\u001b[0m` : sign, shortened(details));
  }

  foot({ queue, verdict, probes }: Report): string {
    const count = (wanted: Finding['result']) => probes.filter(({ result }) => result === wanted).length;
    return `\n${queue} ${verdict}: ${count('pass')} passed, ${count('breach')} breached, ${count('skipped')} skipped\n`;
  }

  private line(probe: string, result: string, details: string): string {
    return `${probe.padEnd(this.width)}  ${result}  ${details}\n`;
  }
}

function shortened(text: string): string {
  const line = printable(text);
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
}

interface Finding {
  probe: string;
  checks: string;
  result: 'pass' | 'breach' | 'skipped';
  details: string;
}

/** Runs the probes one after the other. If the worker stops answering, the remaining ones are skipped. */
async function runProbes(
  probes: readonly Probe[],
  target: Target,
  report: (finding: Finding) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  let silentSince: string | undefined;
  for (const probe of probes) {
    const reason = silentSince ?? missingCondition(probe, findings);
    const finding = reason ? skip(probe, reason) : await find(probe, target);
    findings.push(finding);
    report(finding);
    if (finding.result === 'breach' && !(await isStillThere(probe, target))) silentSince = silence(probe);
  }
  return findings;
}

async function find(probe: Probe, target: Target): Promise<Finding> {
  const { name, checks } = probe;
  try {
    const seen = await probe.run(target);
    const preferred = target.takePreferred();
    const details = preferred.length ? `${seen}; accepted, prefer ${preferred.join(', ')}` : seen;
    return { probe: name, checks, result: 'pass', details };
  } catch (error) {
    if (error instanceof NotProbed) return skip(probe, error.message);
    if (error instanceof Breach) return { probe: name, checks, result: 'breach', details: error.message };
    throw error;
  }
}

function missingCondition({ needsGoodCommand }: Probe, findings: Finding[]): string | undefined {
  const good = findings.find(({ probe }) => probe === goodCommand.name);
  if (!needsGoodCommand || !good || good.result === 'pass') return undefined;
  return `needs ${goodCommand.name} to pass`;
}

async function isStillThere(probe: Probe, target: Target): Promise<boolean> {
  return probe !== workerPresent && (await target.answers());
}

const silence = (probe: Probe) =>
  probe === workerPresent ? 'no worker' : `the worker has not answered since ${probe.name}`;
