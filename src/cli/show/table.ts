import type { Terminal } from '../command.js';
import { type Colour, coloured, displayWidth, pad, printable, truncate } from './text.js';

export interface Column<Row> {
  title: string;
  /** Empty values are shown as a dash. */
  show(row: Row): string | number | null | undefined;
  align?: 'right';
  /** May be truncated on a narrow terminal. */
  truncates?: true;
  /** Left out on a terminal if it is empty, or if the terminal is too narrow; the last optional column goes first. */
  optional?: true;
  colour?(row: Row): Colour | undefined;
}

interface LaidOutColumn<Row> {
  column: Column<Row>;
  cells: string[];
  width: number;
}

const GAP = '  ';
const NOTHING = '–';
const MIN_WIDTH = 8;

/** Renders aligned columns below their titles, no wider than the terminal. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], terminal: Terminal): string {
  const laid = fitted(
    columns.map((column) => lay(column, rows)),
    terminal.width,
  );
  const head = laid.map(({ column, width }) => pad(column.title, width, sideOf(column)));
  const lines = rows.map((row, at) =>
    laid.map(({ column, cells, width }) => {
      const cell = pad(truncate(cells[at] ?? '', width), width, sideOf(column));
      return coloured(cell, column.colour?.(row), terminal.colours);
    }),
  );
  const header = coloured(head.join(GAP).trimEnd(), 'bold', terminal.colours);
  return [header, ...lines.map((cells) => cells.join(GAP).trimEnd())].map((line) => `${line}\n`).join('');
}

function lay<Row>(column: Column<Row>, rows: readonly Row[]): LaidOutColumn<Row> {
  const cells = rows.map((row) => {
    const value = column.show(row);
    return value === null || value === undefined || value === '' ? NOTHING : printable(String(value));
  });
  const width = cells.reduce((widest, cell) => Math.max(widest, displayWidth(cell)), displayWidth(column.title));
  return { column, cells, width };
}

function fitted<Row>(laid: LaidOutColumn<Row>[], maxWidth: number | undefined): LaidOutColumn<Row>[] {
  if (maxWidth === undefined) return laid;
  const kept = laid.filter(({ column, cells }) => !column.optional || cells.some((cell) => cell !== NOTHING));
  for (;;) {
    const surplus = widthOf(kept) - maxWidth;
    if (surplus <= 0) return kept;
    const last = kept.findLastIndex(({ column }) => column.optional);
    if (last >= 0) kept.splice(last, 1);
    else return narrowed(kept, surplus);
  }
}

/** Takes one column of characters after the other from the widest cell that may be truncated. */
function narrowed<Row>(laid: LaidOutColumn<Row>[], surplus: number): LaidOutColumn<Row>[] {
  const widths = laid.map(({ width }) => width);
  for (let left = surplus; left > 0; left--) {
    const [widest] = laid
      .map(({ column }, at) => ({ at, width: widths[at] ?? 0, truncates: column.truncates }))
      .filter(({ truncates, width }) => truncates && width > MIN_WIDTH)
      .toSorted((one, other) => other.width - one.width);
    if (!widest) break;
    widths[widest.at] = widest.width - 1;
  }
  return laid.map((one, at) => ({ ...one, width: widths[at] ?? one.width }));
}

const widthOf = <Row>(laid: LaidOutColumn<Row>[]) =>
  laid.reduce((sum, { width }) => sum + width, 0) + GAP.length * Math.max(0, laid.length - 1);

const sideOf = <Row>({ align }: Column<Row>) => (align === 'right' ? 'right' : 'left');

/** Renders names and values, one pair a line, without those that have no value. */
export function facts(rows: readonly (readonly [string, string | number | null | undefined])[]): string {
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(...known.map(([name]) => displayWidth(name)));
  return known.map(([name, value]) => `${pad(name, width, 'left')}  ${printable(String(value))}\n`).join('');
}
