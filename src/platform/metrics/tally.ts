export interface ShownValue {
  metricName?: string;
  labels: Record<string, string | number>;
  value: number;
}

/** Counts with plain numbers, where the label lookup of a histogram would cost more than the work. */
export class Tally {
  private readonly counts: number[];
  private sum = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.counts = Array(bounds.length + 1).fill(0);
  }

  add(value: number): void {
    let at = 0;
    while (value > (this.bounds[at] ?? Number.POSITIVE_INFINITY)) at++;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.sum += value;
  }

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
