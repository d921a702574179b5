import { Inject, Injectable } from '@nestjs/common';
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import { LOG, type Log } from '../log/log.js';
import { VERSION } from '../process/version.js';
import type { ShownValue } from './tally.js';

interface Described<Label extends string> {
  /** The name without the common prefix `millrace_`. */
  name: string;
  help: string;
  /** Each label has a handful of values that do not grow with users, sources or posts. */
  labels?: readonly Label[];
}

interface ComputedMetric extends Pick<Described<never>, 'name' | 'help'> {
  type: 'counter' | 'histogram';
  read: (name: string) => ShownValue[];
}

export type Reading<Label extends string> = { [name in Label]: string } & { value: number };

/** Each component creates its metrics once, in its constructor. `read` computes values at each scrape. */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();

  constructor(@Inject(LOG) private readonly log: Log) {
    const build = this.gauge({ name: 'build_info', help: 'Always 1; the version is its label.', labels: ['version'] });
    build.set({ version: VERSION }, 1);
  }

  /** Collects the metrics of Node.js. It monitors the event loop, so it is started once per process. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<Label extends string = never>({
    name,
    help,
    labels = [],
    known,
  }: Described<Label> & { known?: LabelValues<Label> }): Counter<Label> {
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
  }: Described<Label> & { buckets: number[]; known?: LabelValues<Label> }): Histogram<Label> {
    const described = { name: `millrace_${name}`, help, labelNames: labels, buckets, registers: [this.registry] };
    const histogram = new Histogram(described);
    if (known) startAtZero(histogram, known);
    return histogram;
  }

  gauge<Label extends string = never>({
    name,
    help,
    labels = [],
    read,
  }: Described<Label> & { read?: () => Reading<Label>[] | Promise<Reading<Label>[]> }): Gauge<Label> {
    const collect = async () => {
      const readings = read ? await this.readingsOf(name, read) : [];
      show(gauge, readings);
      // A gauge without labels would otherwise show 0.
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

  registerComputed({ name, help, type, read }: ComputedMetric): void {
    const full = `millrace_${name}`;
    const shown = { name: full, get: async () => ({ name: full, help, type, values: read(full) }) };
    // A registry needs no more than this of a metric.
    this.registry.registerMetric(shown as unknown as Metric);
  }

  render(): Promise<string> {
    return this.registry.metrics();
  }

  /** A value that cannot be read must not hold back the others. */
  private async readingsOf<T>(name: string, read: () => T[] | Promise<T[]>): Promise<T[]> {
    try {
      return await read();
    } catch (err) {
      this.log.debug({ event: 'metric_not_read', err, metric: name }, 'A metric could not be read');
      return [];
    }
  }
}

function show<Label extends string>(gauge: Gauge<Label>, readings: Reading<Label>[]): void {
  gauge.reset();
  for (const { value, ...labels } of readings) gauge.set(labels as unknown as Record<Label, string>, value);
}

type LabelValues<Label extends string> = { readonly [name in Label]: readonly string[] };

/** Initialises counters with 0, because a rate needs two values. */
function startAtZero<Label extends string>(metric: Counter<Label> | Histogram<Label>, known: LabelValues<Label>): void {
  for (const labels of combinations(known)) {
    if (metric instanceof Counter) metric.inc(labels, 0);
    else metric.zero(labels);
  }
}

function combinations<Label extends string>(known: LabelValues<Label>): Record<Label, string>[] {
  let found: Record<string, string>[] = [{}];
  for (const [name, values] of Object.entries<readonly string[]>(known))
    found = found.flatMap((labels) => values.map((value) => ({ ...labels, [name]: value })));
  return found as Record<Label, string>[];
}
