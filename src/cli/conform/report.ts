import { printable } from '../show/printable.js';
import type { Probe } from './probe.js';
import { goodCommand } from './probes/good-command.js';
import type { Finding } from './run-probes.js';

const SIGNS = { pass: '✓', breach: '✗', skipped: '–' };
const COLOURS = { pass: 32, breach: 31, skipped: 90 };
const MOST_CHARACTERS = 500;

export type Verdict = 'conforms' | 'does not conform' | 'cannot be judged';

export interface Report {
  queue: string;
  verdict: Verdict;
  probes: Finding[];
}

export function toReport(queue: string, probes: Finding[]): Report {
  return { queue, verdict: verdictOn(probes), probes };
}

function verdictOn(probes: Finding[]): Verdict {
  if (probes.some(({ result }) => result === 'breach')) return 'does not conform';
  // One that refuses everything would pass most of the others.
  const good = probes.find(({ probe }) => probe === goodCommand.name);
  return good?.result === 'skipped' ? 'cannot be judged' : 'conforms';
}

/** A table whose rows can be printed as they come. */
export class ReportTable {
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
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line;
}
