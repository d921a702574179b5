import { expect, it } from 'vitest';
import { only, recordTraces } from '../../../test/tracing/recorder.js';
import { traced } from '../tracing/traced.js';
import { tracedMessages } from './queue-consumer.js';
import type { RawMessage } from './raw-bodies.js';

const message = (headers?: Record<string, unknown>) =>
  ({ body: Buffer.from('secret'), ...(headers && { headers }) }) as RawMessage;

it("goes on with the sender's trace where a message names it, and begins one where it does not", async () => {
  const { collector, spans } = await recordTraces();
  const take = tracedMessages('letters', () => traced({ name: 'storing' }, async () => undefined));
  await take(message({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }));
  for (const headers of [undefined, {}, { traceparent: 7 }]) await take(message(headers));
  const all = await spans();
  const received = all.filter(({ name }) => name === 'receive letters');
  expect(received.map(({ parentSpanId }) => parentSpanId)).toEqual(['b'.repeat(16), undefined, undefined, undefined]);
  expect(new Set(received.map(({ traceId }) => traceId)).size).toBe(4);
  const sent = all.filter(({ traceId }) => traceId === 'a'.repeat(32));
  expect(only(sent, 'storing').parentSpanId).toBe(only(sent, 'receive letters').spanId);
  expect(collector.received).not.toContain('secret');
});
