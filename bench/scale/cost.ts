import type { Measurement } from '../report.js';

/** A measurement that the page about scaling uses in its calculations. */
export interface Cost extends Measurement {
  name: string;
  number: number;
}

interface Wording {
  what: string;
  unit: string;
}

export function cost(name: string, number: number, { what, unit }: Wording): Cost {
  return { what, value: `${inDigits(number)} ${unit}`.trim(), name, number };
}

/** Rounds to three digits, which is the precision of these measurements. */
export function inDigits(number: number): string {
  const rounded = Number(number.toPrecision(3));
  const digits = Math.abs(rounded) >= 100 ? 0 : Math.abs(rounded) >= 10 ? 1 : 2;
  return rounded.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export type Numbers = (name: string) => number;

/** Returns the numbers of a report by their names. */
export function numbersOf(costs: Cost[]): Numbers {
  const numbers = new Map(costs.map(({ name, number }) => [name, number]));
  return (name) => {
    const number = numbers.get(name);
    if (number === undefined) throw new Error(`the report has no ${name}: run the benchmark again`);
    return number;
  };
}
