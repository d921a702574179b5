import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { MetricsText } from '../../../test/metrics/metrics-text.js';
import { Metrics } from './metrics.js';

const newMetrics = () => new Metrics(pino({ level: 'silent' }));
const read = async (metrics: Metrics) => new MetricsText(await metrics.render());

describe('metrics', () => {
  it('show 0 of what is known and has not happened yet', async () => {
    const metrics = newMetrics();
    const known = { kind: ['a', 'b'], end: ['good', 'bad'] };
    metrics.counter({ name: 'ends_total', help: 'Ends.', labels: ['kind', 'end'], known });
    metrics.histogram({ name: 'ways', help: 'Ways.', labels: ['kind'], buckets: [1], known: { kind: ['a'] } });
    const text = await read(metrics);
    for (const kind of known.kind)
      for (const end of known.end) expect(text.value('millrace_ends_total', { kind, end })).toBe(0);
    expect(text.value('millrace_ways', { kind: 'a' })).toBe(0);
  });

  it('leave out what cannot be read, until it can', async () => {
    const metrics = newMetrics();
    let fails = false;
    const reading = async () => {
      if (fails) throw new Error('the server is away');
      return 7;
    };
    metrics.gauge({ name: 'alone', help: 'Alone.', read: async () => [{ value: await reading() }] });
    metrics.gauge({
      name: 'two',
      help: 'Two.',
      labels: ['of'],
      read: async () => [{ of: 'a', value: await reading() }],
    });
    metrics.counter({ name: 'other_total', help: 'Other.' }).inc();
    const values = async () => {
      const text = await read(metrics);
      const labels = { of: 'a' };
      return [text.value('millrace_alone'), text.value('millrace_two', labels), text.value('millrace_other_total')];
    };
    expect(await values()).toEqual([7, 7, 1]);
    fails = true;
    expect(await values()).toEqual([undefined, undefined, 1]);
    fails = false;
    expect(await values()).toEqual([7, 7, 1]);
  });

  it('forget a label that is not read any more', async () => {
    const metrics = newMetrics();
    let names = ['a', 'b'];
    metrics.gauge({
      name: 'sizes',
      help: 'Sizes.',
      labels: ['of'],
      read: () => names.map((of) => ({ of, value: 1 })),
    });
    await read(metrics);
    names = ['b'];
    const text = await read(metrics);
    expect([text.value('millrace_sizes', { of: 'a' }), text.value('millrace_sizes', { of: 'b' })]).toEqual([
      undefined,
      1,
    ]);
  });

  it('have a name of their own each', () => {
    const metrics = newMetrics();
    metrics.counter({ name: 'twice_total', help: 'Twice.' });
    expect(() => metrics.counter({ name: 'twice_total', help: 'Twice.' })).toThrow('already been registered');
  });

  it('tell of the process and of Node.js where that is asked for', async () => {
    const metrics = newMetrics();
    expect((await read(metrics)).kinds.has('process_cpu_seconds_total')).toBe(false);
    metrics.collectProcess();
    const { kinds } = await read(metrics);
    expect([kinds.has('process_cpu_seconds_total'), kinds.has('nodejs_eventloop_lag_p99_seconds')]).toEqual([
      true,
      true,
    ]);
  });
});
