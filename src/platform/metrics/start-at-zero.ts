import { Counter, type Histogram } from 'prom-client';

/** The values that each label can have. */
export type Known<Label extends string> = { readonly [name in Label]: readonly string[] };

/** Shows a 0 where nothing has happened yet: a rate begins with the second number that is seen. */
export function startAtZero<Label extends string>(
  metric: Counter<Label> | Histogram<Label>,
  known: Known<Label>,
): void {
  for (const labels of combinations(known)) {
    if (metric instanceof Counter) metric.inc(labels, 0);
    else metric.zero(labels);
  }
}

function combinations<Label extends string>(known: Known<Label>): Record<Label, string>[] {
  let found: Record<string, string>[] = [{}];
  for (const [name, values] of Object.entries<readonly string[]>(known))
    found = found.flatMap((labels) => values.map((value) => ({ ...labels, [name]: value })));
  return found as Record<Label, string>[];
}
