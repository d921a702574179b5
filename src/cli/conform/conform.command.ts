import { action, type Command, type Terminal } from '../command.js';
import { printable } from '../show/printable.js';
import { Breach, NotProbed } from './breach.js';
import { type ConformOptions, OPTIONS, readOptions } from './options.js';
import type { Probe } from './probe.js';
import { goodCommand } from './probes/good-command.js';
import { workerPresent } from './probes/worker-present.js';
import { PROBES } from './probes.js';
import { Target } from './target.js';
import { WorkerLine } from './worker-line.js';

const skipped = ({ name, checks }: Probe, details: string): Finding => ({
  probe: name,
  checks,
  result: 'skipped',
  details,
});

const SIGNS = { pass: '✓', breach: '✗', skipped: '–' };

const COLOURS = { pass: 32, breach: 31, skipped: 90 };

const MAX_CHARACTERS = 500;

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
  // One that refuses everything would pass most of the others.
  const good = probes.find(({ probe }) => probe === goodCommand.name);
  return good?.result === 'skipped' ? 'cannot be judged' : 'conforms';
}

/** A table whose rows can be printed as they come. */
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

/** Details quote the worker. */
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

/** One after the other, each told when it is done. After one that ended the worker, the others are skipped. */
async function runProbes(
  probes: readonly Probe[],
  target: Target,
  tell: (finding: Finding) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  let silentSince: string | undefined;
  for (const probe of probes) {
    const reason = silentSince ?? missingGround(probe, findings);
    const finding = reason ? skipped(probe, reason) : await find(probe, target);
    findings.push(finding);
    tell(finding);
    if (finding.result === 'breach' && !(await isStillThere(probe, target))) silentSince = silence(probe);
  }
  return findings;
}

async function find(probe: Probe, target: Target): Promise<Finding> {
  const { name, checks } = probe;
  try {
    return { probe: name, checks, result: 'pass', details: await probe.run(target) };
  } catch (error) {
    if (error instanceof NotProbed) return skipped(probe, error.message);
    if (error instanceof Breach) return { probe: name, checks, result: 'breach', details: error.message };
    throw error;
  }
}

function missingGround({ needsGoodCommand }: Probe, findings: Finding[]): string | undefined {
  const good = findings.find(({ probe }) => probe === goodCommand.name);
  if (!needsGoodCommand || !good || good.result === 'pass') return undefined;
  return `needs ${goodCommand.name} to pass`;
}

async function isStillThere(probe: Probe, target: Target): Promise<boolean> {
  return probe !== workerPresent && (await target.answers());
}

const silence = (probe: Probe) =>
  probe === workerPresent ? 'there is no worker' : `the worker has not answered since ${probe.name}`;
