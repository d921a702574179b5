import { Injectable } from '@nestjs/common';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../version.js';

interface Described<Label extends string> {
  /** Without the `millrace_` that all of them begin with. */
  name: string;
  help: string;
  /** Each with a handful of values that do not grow with users, sources or posts. */
  labels?: readonly Label[];
}

/**
 * What this process counts of itself, for Prometheus. Whoever counts makes their metric here, once, when they are made; what is
 * only looked up when somebody asks is told by `collect`.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();

  constructor() {
    const build = this.gauge({ name: 'build_info', help: 'Always 1; the version is its label.', labels: ['version'] });
    build.set({ version: VERSION }, 1);
  }

  /** What Node.js says of itself; it watches the event loop and so is begun once in a process. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<Label extends string = never>({ name, help, labels = [] }: Described<Label>): Counter<Label> {
    return new Counter({ name: `millrace_${name}`, help, labelNames: labels, registers: [this.registry] });
  }

  histogram<Label extends string = never>({
    name,
    help,
    labels = [],
    buckets,
  }: Described<Label> & { buckets: number[] }): Histogram<Label> {
    return new Histogram({ name: `millrace_${name}`, help, labelNames: labels, buckets, registers: [this.registry] });
  }

  gauge<Label extends string = never>({
    name,
    help,
    labels = [],
    collect,
  }: Described<Label> & { collect?: (gauge: Gauge<Label>) => void | Promise<void> }): Gauge<Label> {
    const gauge: Gauge<Label> = new Gauge({
      ...{ name: `millrace_${name}`, help, labelNames: labels, registers: [this.registry] },
      ...(collect && { collect: () => collect(gauge) }),
    });
    return gauge;
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  render(): Promise<string> {
    return this.registry.metrics();
  }
}
