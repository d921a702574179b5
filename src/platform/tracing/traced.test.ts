import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startSite } from '../../../test/harness/site.js';
import { only, recordTraces } from '../../../test/tracing/recorder.js';
import { Batcher } from '../database/batcher.js';
import { traced, traceparent } from './traced.js';

const job = { name: 'job', kind: 'CONSUMER' } as const;
const call = { name: 'call', kind: 'CLIENT' } as const;
const nothing = async () => undefined;

it('puts steps below the step that they are made in, across processes by their cause', async () => {
  const { spans } = await recordTraces();
  const cause = await traced({ ...job, name: 'first' }, async () => traced(call, async () => traceparent()));
  await traced({ ...job, cause }, () => sleep(1));
  const all = await spans();
  const [first, called, second] = ['first', 'call', 'job'].map((name) => only(all, name));
  expect(first?.parentSpanId).toBeUndefined();
  expect(called).toMatchObject({ parentSpanId: first?.spanId, traceId: first?.traceId, kind: 'CLIENT' });
  expect(second).toMatchObject({ parentSpanId: called?.spanId, traceId: first?.traceId, kind: 'CONSUMER' });
});

it('begins a trace for what comes from outside, wherever it is heard of, and for nothing else', async () => {
  const { spans } = await recordTraces();
  await traced(call, nothing);
  await traced({ ...job, name: 'outer' }, () => traced({ ...job, cause: 'nonsense' }, nothing));
  const all = await spans();
  expect(all.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
    ['job', undefined],
    ['outer', undefined],
  ]);
});

it('leaves alone what goes on after its step has ended', async () => {
  const { spans } = await recordTraces();
  let later: Promise<string | undefined> | undefined;
  await traced(job, async () => {
    later = sleep(20).then(() => traced(call, async () => traceparent()));
  });
  expect(await later).toBeUndefined();
  expect(await spans()).toHaveLength(1);
});

it('says of an error what kind it is, and keeps its words to the log', async () => {
  const { collector, spans } = await recordTraces();
  const failing = (error: unknown, name: string) =>
    traced({ ...job, name }, () => Promise.reject(error)).catch((thrown) => expect(thrown).toBe(error));
  await failing(Object.assign(new Error('a secret'), { code: 'NO_WORKER' }), 'coded');
  await failing(new RangeError('a secret'), 'plain');
  await failing('a secret', 'strange');
  const types = (await spans()).map(({ name, failed, attributes }) => [name, failed, attributes['error.type']]);
  expect(types).toEqual([
    ['coded', true, 'NO_WORKER'],
    ['plain', true, 'RangeError'],
    ['strange', true, 'string'],
  ]);
  expect(collector.received).not.toContain('secret');
});

it('tells the next process not to record either what was not chosen', async () => {
  const { spans } = await recordTraces({ percent: 0 });
  const passedOn = await traced(job, () => traced(call, async () => traceparent()));
  expect(passedOn).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  expect(await traced({ ...job, cause: passedOn }, async () => traceparent())).toMatch(/-00$/);
  expect(await spans()).toEqual([]);
});

it('records what a caller wants recorded, however few are chosen', async () => {
  const { spans } = await recordTraces({ percent: 0 });
  await traced({ ...job, cause: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }, nothing);
  expect(await spans()).toMatchObject([{ traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16) }]);
});

it('puts work that is done for several at once into the trace of the first of them', async () => {
  const { spans } = await recordTraces();
  const batched = new Batcher((names: string[]) =>
    traced({ ...call, name: names.join() }, async () => sleep(5, names)),
  );
  await Promise.all(['a', 'b', 'c'].map((name) => traced({ ...job, name: `job ${name}` }, () => batched.call(name))));
  const all = await spans();
  expect(only(all, 'a,b,c').parentSpanId).toBe(only(all, 'job a').spanId);
});

it('does its work, passes nothing on and records nothing while there is no tracing', async () => {
  const { collector, stop } = await recordTraces();
  await stop();
  expect(await traced(job, async (span) => [span.isRecording(), traceparent()])).toEqual([false, undefined]);
  expect(collector.spans).toEqual([]);
});

it('stops although the collector is away, and says so once', async () => {
  const gone = await startSite((request) => request.socket.destroy());
  const { lines, stop } = await recordTraces({ url: gone.url('', '127.0.0.1') });
  await traced(job, nothing);
  await stop();
  expect(lines.map(({ msg }) => msg)).toEqual(['The last traces could not be sent']);
});

it('stops although the collector never answers', async () => {
  const silent = await startSite(() => undefined);
  const { stop } = await recordTraces({ url: silent.url('', '127.0.0.1') });
  await traced(job, nothing);
  await stop();
  expect(silent.connections).toBe(1);
});
