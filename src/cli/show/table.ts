import type { Terminal } from '../command.js';
import { type Colour, coloured } from './colour.js';
import { cut, displayWidth, pad } from './display-width.js';
import { printable } from './printable.js';

export interface Column<Row> {
  title: string;
  /** Nothing is shown as a dash. */
  show(row: Row): string | number | null | undefined;
  /** Numbers stand right. */
  align?: 'right';
  /** May be cut where the terminal is narrow. */
  cuts?: true;
  /** Left out on a terminal that is too narrow, last one first, or if it says nothing. */
  spare?: true;
  colour?(row: Row): Colour | undefined;
}

interface Laid<Row> {
  column: Column<Row>;
  cells: string[];
  width: number;
}

const GAP = '  ';
const NOTHING = '–';
const NARROWEST = 8;

/** Aligned columns below their titles, no wider than the terminal. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], terminal: Terminal): string {
  const laid = fitted(
    columns.map((column) => lay(column, rows)),
    terminal.width,
  );
  const head = laid.map(({ column, width }) => pad(column.title, width, sideOf(column)));
  const lines = rows.map((row, at) =>
    laid.map(({ column, cells, width }) => {
      const cell = pad(cut(cells[at] ?? '', width), width, sideOf(column));
      return coloured(cell, column.colour?.(row), terminal.colours);
    }),
  );
  const header = coloured(head.join(GAP).trimEnd(), 'bold', terminal.colours);
  return [header, ...lines.map((cells) => cells.join(GAP).trimEnd())].map((line) => `${line}\n`).join('');
}

function lay<Row>(column: Column<Row>, rows: readonly Row[]): Laid<Row> {
  const cells = rows.map((row) => {
    const value = column.show(row);
    return value === null || value === undefined || value === '' ? NOTHING : printable(String(value));
  });
  const width = cells.reduce((widest, cell) => Math.max(widest, displayWidth(cell)), displayWidth(column.title));
  return { column, cells, width };
}

function fitted<Row>(laid: Laid<Row>[], most: number | undefined): Laid<Row>[] {
  if (most === undefined) return laid;
  const kept = laid.filter(({ column, cells }) => !column.spare || cells.some((cell) => cell !== NOTHING));
  for (;;) {
    const surplus = widthOf(kept) - most;
    if (surplus <= 0) return kept;
    const spare = kept.findLastIndex(({ column }) => column.spare);
    if (spare >= 0) kept.splice(spare, 1);
    else return narrowed(kept, surplus);
  }
}

/** Columns that may be cut give up one by one of the widest. */
function narrowed<Row>(laid: Laid<Row>[], surplus: number): Laid<Row>[] {
  const widths = laid.map(({ width }) => width);
  for (let left = surplus; left > 0; left--) {
    const [widest] = laid
      .map(({ column }, at) => ({ at, width: widths[at] ?? 0, cuts: column.cuts }))
      .filter(({ cuts, width }) => cuts && width > NARROWEST)
      .toSorted((one, other) => other.width - one.width);
    if (!widest) break;
    widths[widest.at] = widest.width - 1;
  }
  return laid.map((one, at) => ({ ...one, width: widths[at] ?? one.width }));
}

const widthOf = <Row>(laid: Laid<Row>[]) =>
  laid.reduce((sum, { width }) => sum + width, 0) + GAP.length * Math.max(0, laid.length - 1);

const sideOf = <Row>({ align }: Column<Row>) => (align === 'right' ? 'right' : 'left');

/** Names and what there is to say about them, one a line; what is not there is left out. */
export function facts(rows: readonly (readonly [string, string | number | null | undefined])[]): string {
  const there = rows.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(...there.map(([name]) => displayWidth(name)));
  return there.map(([name, value]) => `${pad(name, width, 'left')}  ${printable(String(value))}\n`).join('');
}
