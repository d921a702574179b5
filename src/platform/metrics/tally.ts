/** One line of a metric, as it is shown. */
export interface ShownValue {
  metricName?: string;
  labels: Record<string, string | number>;
  value: number;
}

/**
 * Counts into buckets, in plain numbers: for what happens thousands of times a second, where finding a histogram's place by its
 * labels each time costs more than what is counted.
 */
export class Tally {
  private readonly counts: number[];
  private sum = 0;

  /** Upper bounds, rising. */
  constructor(private readonly bounds: readonly number[]) {
    this.counts = Array(bounds.length + 1).fill(0);
  }

  add(value: number): void {
    let at = 0;
    while (value > (this.bounds[at] ?? Number.POSITIVE_INFINITY)) at++;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.sum += value;
  }

  /** As Prometheus reads a histogram: each bucket holds those below it, too. */
  shown(name: string, labels: Record<string, string>): ShownValue[] {
    let total = 0;
    const buckets = this.counts.map((count, at) => {
      total += count;
      return { metricName: `${name}_bucket`, labels: { le: this.bounds[at] ?? '+Inf', ...labels }, value: total };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.sum },
      { metricName: `${name}_count`, labels, value: total },
    ];
  }
}
