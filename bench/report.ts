import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** One line of a benchmark: the measurement, and the target of SPEC section 11, if there is one. */
export interface Measurement {
  what: string;
  value: string;
  target?: string;
  met?: boolean;
}

export function print(name: string, report: Measurement[]): void {
  const rows = report.map(({ what, value, target, met }) => [
    what,
    value,
    target ?? '',
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ]);
  const table = [['measurement', 'measured', 'target', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  process.stdout.write(`\n${name}\n${lines.join('\n')}\n`);
}

export async function save(name: string, report: Measurement[]): Promise<void> {
  const folder = join('bench', 'results');
  await mkdir(folder, { recursive: true });
  const machine = { cores: cpus().length, cpu: cpus()[0]?.model, node: process.version };
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify({ machine, report }, null, 2)}\n`);
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
