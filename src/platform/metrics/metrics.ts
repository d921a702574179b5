import { Inject, Injectable } from '@nestjs/common';
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import type { Log } from '../log/log.js';
import { LOG } from '../log/log.js';
import { VERSION } from '../process/version.js';
import type { ShownValue } from './tally.js';

interface Described<Label extends string> {
  /** Without the `millrace_` that all of them begin with. */
  name: string;
  help: string;
  /** Each with a handful of values that do not grow with users, sources or posts. */
  labels?: readonly Label[];
}

interface Told extends Pick<Described<never>, 'name' | 'help'> {
  type: 'counter' | 'histogram';
  /** Is given the metric's full name. */
  read: (name: string) => ShownValue[];
}

/** What a gauge shows: its labels, and the number. */
export type Reading<Label extends string> = { [name in Label]: string } & { value: number };

/**
 * What this process counts of itself, for Prometheus. Whoever counts makes their metric here, once, when they are made; what is
 * only looked up when somebody asks is told by `read`.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();

  constructor(@Inject(LOG) private readonly log: Log) {
    const build = this.gauge({ name: 'build_info', help: 'Always 1; the version is its label.', labels: ['version'] });
    build.set({ version: VERSION }, 1);
  }

  /** What Node.js says of itself; it watches the event loop and so is begun once in a process. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<Label extends string = never>({
    name,
    help,
    labels = [],
    known,
  }: Described<Label> & { known?: Known<Label> }): Counter<Label> {
    const counter = new Counter({ name: `millrace_${name}`, help, labelNames: labels, registers: [this.registry] });
    if (known) startAtZero(counter, known);
    return counter;
  }

  histogram<Label extends string = never>({
    name,
    help,
    labels = [],
    buckets,
    known,
  }: Described<Label> & { buckets: number[]; known?: Known<Label> }): Histogram<Label> {
    const described = { name: `millrace_${name}`, help, labelNames: labels, buckets, registers: [this.registry] };
    const histogram = new Histogram(described);
    if (known) startAtZero(histogram, known);
    return histogram;
  }

  /** With `read` it shows what that says each time somebody asks, and nothing if it fails. */
  gauge<Label extends string = never>({
    name,
    help,
    labels = [],
    read,
  }: Described<Label> & { read?: () => Reading<Label>[] | Promise<Reading<Label>[]> }): Gauge<Label> {
    const collect = async () => {
      const readings = read ? await this.readingsOf(name, read) : [];
      show(gauge, readings);
      // One without labels stands at 0 otherwise.
      if (!labels.length && !readings.length) gauge.remove();
    };
    const gauge: Gauge<Label> = new Gauge({
      name: `millrace_${name}`,
      help,
      labelNames: labels,
      registers: [this.registry],
      ...(read && { collect }),
    });
    return gauge;
  }

  /** One that is counted elsewhere, in plain numbers, and only asked for when somebody looks. */
  registerComputed({ name, help, type, read }: Told): void {
    const full = `millrace_${name}`;
    const shown = { name: full, get: async () => ({ name: full, help, type, values: read(full) }) };
    // A registry asks its metrics for no more than that.
    this.registry.registerMetric(shown as unknown as Metric);
  }

  render(): Promise<string> {
    return this.registry.metrics();
  }

  /** A number that cannot be had must not keep the others back. */
  private async readingsOf<T>(name: string, read: () => T[] | Promise<T[]>): Promise<T[]> {
    try {
      return await read();
    } catch (err) {
      this.log.debug({ err, metric: name }, 'a metric could not be read');
      return [];
    }
  }
}

function show<Label extends string>(gauge: Gauge<Label>, readings: Reading<Label>[]): void {
  gauge.reset();
  for (const { value, ...labels } of readings) gauge.set(labels as unknown as Record<Label, string>, value);
}

/** The values that each label can have. */
type Known<Label extends string> = { readonly [name in Label]: readonly string[] };

/** Shows a 0 where nothing has happened yet: a rate begins with the second number that is seen. */
function startAtZero<Label extends string>(metric: Counter<Label> | Histogram<Label>, known: Known<Label>): void {
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
