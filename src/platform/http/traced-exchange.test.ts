import { expect, it } from 'vitest';
import { recordTraces } from '../../../test/tracing/recorder.js';
import { traced } from '../tracing/traced.js';
import { firstHop } from './hop.js';
import { RequestFault } from './outgoing-request-error.js';
import { tracedExchange } from './traced-exchange.js';

const hop = firstHop('https://secret:secret@hooks.example:8443/secret?token=secret', { body: 'secret' });
const answering = (status: number) => async () => ({
  status,
  headers: {},
  body: Buffer.alloc(0),
  retryAfter: undefined,
});

it('shows where a request went and how it ended, and nothing of what it held', async () => {
  const { collector, spans } = await recordTraces();
  await traced({ name: 'job', kind: 'CONSUMER' }, async () => {
    for (const status of [200, 304, 404]) await tracedExchange(hop, answering(status));
    await tracedExchange(hop, () => Promise.reject(new RequestFault('TIMEOUT', 'took too long'))).catch(
      () => undefined,
    );
  });
  const requests = (await spans()).filter(({ kind }) => kind === 'CLIENT');
  const place = { 'http.request.method': 'GET', 'server.address': 'hooks.example', 'server.port': 8443 };
  expect(requests.map(({ name, failed }) => [name, failed])).toEqual([
    ['GET', false],
    ['GET', false],
    ['GET', true],
    ['GET', true],
  ]);
  for (const { attributes } of requests) expect(attributes).toMatchObject(place);
  expect(requests.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([200, 304, 404, undefined]);
  expect(requests[3]?.attributes['error.type']).toBe('TIMEOUT');
  expect(collector.received).not.toContain('secret');
});
