import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { rabbitmqUrl } from '../harness/rabbitmq.js';
import { type MillraceProcess, startMillrace } from '../program/millrace-process.js';
import { newDatabase } from '../program/new-database.js';
import { Collector, type Span } from '../tracing/collector.js';
import { only } from '../tracing/recorder.js';
import { TestWorker } from '../workers/test-worker.js';

const rabbitmq = rabbitmqUrl();
const adminKey = 'an-admin-key-for-traces-only';

/** Has a process say at its end how many of the files that it loaded hold OpenTelemetry's SDK. */
const SDK_FILES = `--import=data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from 'node:fs';
  import { Session } from 'node:inspector';
  const loaded = new Set();
  const session = new Session();
  session.connect();
  session.on('Debugger.scriptParsed', ({ params }) => loaded.add(params.url));
  session.post('Debugger.enable');
  const isSdk = (url) => url.startsWith('file:') && readFileSync(new URL(url), 'utf8').includes('BatchSpanProcessor');
  process.on('exit', () => console.log('SDK files:', [...loaded].filter(isSdk).length));
`)}`;

async function fleet(tracesUrl?: string) {
  const environment = {
    MILLRACE_DATA_DIR: newDataFolder(),
    DATABASE_URL: await newDatabase(),
    RABBITMQ_URL: rabbitmq,
    MILLRACE_ADMIN_KEY: adminKey,
    NODE_OPTIONS: SDK_FILES,
    ...(tracesUrl && { OTEL_EXPORTER_OTLP_ENDPOINT: tracesUrl, OTEL_SERVICE_NAME: 'our-millrace' }),
  };
  return (roles: string) =>
    startMillrace({ ...environment, MILLRACE_ROLES: roles, ...(roles.includes('api') && { PORT: '0' }) });
}

async function follow(millrace: MillraceProcess, externalId: string, headers: Record<string, string> = {}) {
  const { status } = await fetch(`${await millrace.address()}/api/v1/sources/follow`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${adminKey}`,
      'x-millrace-user': 'ann',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ type: 'instagram', externalId }),
  });
  expect(status).toBe(202);
}

const fetched = (millrace: MillraceProcess) => millrace.printed(/"queue":"fetch-instagram".*"outcome":"done"/);

it('shows a request, its job, the call to a worker and what they asked the database as one trace', {
  timeout: 120_000,
}, async () => {
  const collector = await Collector.start();
  const start = await fleet(collector.url);
  const [api, jobs] = [start('api,scheduler'), start('worker')];
  await api.address();
  await jobs.printed(/"running"/);
  const worker = await TestWorker.on(rabbitmq, 'fetch.instagram');

  const [traceId, caller] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  await follow(api, 'private_name', { traceparent: `00-${traceId}-${caller}-01` });
  expect(await fetched(jobs)).toContain(`"traceId":"${traceId}"`);
  for (const one of [api, jobs]) expect(await one.end('SIGTERM')).toMatchObject({ code: 0 });
  expect(jobs.stdout).toMatch(/SDK files: [1-9]/);

  const spans = collector.trace(traceId);
  const request = only(spans, 'POST /api/v1/sources/follow');
  const enqueued = only(spans, 'enqueue fetch-instagram');
  const job = only(spans, 'job fetch-instagram');
  const call = only(spans, 'call fetch.instagram');
  expect(request).toMatchObject({ parentSpanId: caller, kind: 'SERVER' });
  expect(enqueued).toMatchObject({ parentSpanId: request.spanId, kind: 'PRODUCER' });
  expect(job).toMatchObject({ parentSpanId: enqueued.spanId, kind: 'CONSUMER' });
  expect(call).toMatchObject({ parentSpanId: job.spanId, kind: 'CLIENT' });
  expect(below(spans, request)).toEqual(expect.arrayContaining(['INSERT follows', 'UPDATE fetch_states', 'COMMIT']));
  expect(below(spans, job)).toEqual(expect.arrayContaining(['UPDATE fetch_states', 'INSERT posts', 'COMMIT']));
  expect(spans.every((span) => span === request || spans.some(({ spanId }) => spanId === span.parentSpanId))).toBe(
    true,
  );
  expect(worker.messages.map(({ headers }) => headers)).toEqual([{ traceparent: `00-${traceId}-${call.spanId}-01` }]);
  expect(request.resource).toMatchObject({ 'service.name': 'our-millrace', 'process.pid': api.pid });
  expect(job.resource).toMatchObject({ 'millrace.roles': ['worker'], 'process.pid': jobs.pid });
  for (const secret of ['private_name', adminKey]) expect(collector.received).not.toContain(secret);
});

it('costs nothing unless it is wanted: what it needs is not even loaded', { timeout: 60_000 }, async () => {
  const millrace = (await fleet())('api,scheduler,worker');
  const worker = await TestWorker.on(rabbitmq, 'fetch.instagram');
  await follow(millrace, 'nasa', { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` });
  await fetched(millrace);
  expect(await millrace.end('SIGTERM')).toMatchObject({ code: 0 });
  expect(millrace.stdout).toMatch(/SDK files: 0\n/);
  expect(worker.messages.map(({ headers }) => headers?.traceparent)).toEqual([undefined]);
});

const below = (spans: Span[], { spanId }: Span) =>
  spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name);
