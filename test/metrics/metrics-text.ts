/** The parsed output of `/metrics`. */
export class MetricsText {
  /** The type of each metric by its name: counter, gauge or histogram. */
  readonly kinds = new Map<string, string>();
  private readonly samples = new Map<string, number>();

  constructor(text: string) {
    for (const line of text.split('\n')) {
      const [, name, kind] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
      if (name && kind) this.kinds.set(name, kind);
      const [, sample, inside = '', value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (sample && value) this.samples.set(keyOf(sample, labelsIn(inside)), Number(value));
    }
  }

  /** The number of observations of a histogram. */
  value(name: string, labels: Record<string, string> = {}): number | undefined {
    return this.samples.get(keyOf(this.kinds.get(name) === 'histogram' ? `${name}_count` : name, labels));
  }

  /** Whether the metric has any sample. */
  isTold(name: string): boolean {
    return [...this.samples.keys()].some((key) => key.startsWith(`${name} `));
  }
}

const labelsIn = (inside: string) =>
  Object.fromEntries([...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value ?? '']));

const keyOf = (name: string, labels: Record<string, string>) =>
  `${name} ${JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`;
