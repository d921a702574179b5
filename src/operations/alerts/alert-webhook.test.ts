import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { lineTo } from '../../../test/scraping/cut-line.js';
import type { FoundAlert } from '../../platform/health/alert-catalogue.js';
import { Health } from '../health/health.js';
import { OperationsModule } from '../operations.module.js';
import { AlertNotices } from './alert-notices.js';
import { AlertsStore } from './alerts.store.js';

const WAIT_OPTIONS = { timeout: 25_000, interval: 50 };
const SECRET = 'a secret of the tests';
const given = testDatabase();
const received: { headers: IncomingHttpHeaders; body: string }[] = [];
let answer = 204;
const receiver = createServer(async (request, response) => {
  received.push({ headers: request.headers, body: await text(request) });
  response.writeHead(answer, { location: '/elsewhere' }).end();
});
let api: Api;

const start = (databaseUrl: string) => {
  const alertWebhook = `http://me:pa%20ss@127.0.0.1:${(receiver.address() as AddressInfo).port}/secret-path`;
  const config = { alertWebhook, alertSecret: SECRET, publicUrl: 'https://feeds.example/' };
  return startApi({ databaseUrl, config: { ...config, roles: new Set() }, modules: [OperationsModule] });
};

beforeAll(async () => {
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  api = await start(given.url);
});
beforeEach(async () => {
  answer = 204;
  await given.database.db.execute(sql`TRUNCATE alerts, alert_notices`);
  received.length = 0;
});
afterAll(async () => {
  await api?.stop();
  receiver.close();
});

const BACKLOG: FoundAlert = {
  code: 'queue_backlog',
  subject: 'task',
  severity: 'warning',
  message: 'Many wait.',
  link: '/queues',
};
const see = (...found: FoundAlert[]) => api.app.get(AlertsStore).seen(found);
const passes = (what: 'alerts' | 'notices' | 'day') =>
  given.database.db.execute(
    {
      alerts: sql`UPDATE alerts SET seen_at = seen_at - interval '31 seconds'`,
      notices: sql`UPDATE alert_notices SET next_try_at = now()`,
      day: sql`UPDATE alert_notices SET next_try_at = now(), created_at = now() - interval '1 day'`,
    }[what],
  );
const deliver = () => api.app.get(AlertNotices).deliver();
const told = () => received.map(({ body }) => JSON.parse(body));
const events = () => told().map(({ event, code, severity }) => `${event} ${code} ${severity}`);

describe('the alert webhook', () => {
  it('receives a signed notice when an alert starts and when it ends', async () => {
    const [since] = await see(BACKLOG);
    await see(BACKLOG);
    await deliver();
    await passes('alerts');
    await see();
    await deliver();
    const notice = {
      type: 'alert',
      code: 'queue_backlog',
      subject: 'task',
      severity: 'warning',
      message: 'Many wait.',
      since: since?.toISOString(),
      link: 'https://feeds.example/queues',
      source: 'https://feeds.example/',
    };
    expect(told()).toEqual([
      { ...notice, event: 'raised', id: expect.any(String) },
      { ...notice, event: 'cleared', id: expect.any(String), clearedAt: expect.any(String) },
    ]);
    for (const { headers, body } of received) {
      const signed = `${headers['x-millrace-timestamp']}.${body}`;
      const signature = createHmac('sha256', SECRET).update(signed).digest('hex');
      expect(headers).toMatchObject({
        'x-millrace-signature': `sha256=${signature}`,
        'idempotency-key': JSON.parse(body).id,
        'content-type': 'application/json',
        authorization: `Basic ${btoa('me:pa ss')}`,
      });
    }
  });

  it('receives another notice when a warning becomes critical', async () => {
    const missing: FoundAlert = { code: 'workers_missing', severity: 'warning', message: 'Some are gone.', link: null };
    await see(missing);
    await see({ ...missing, severity: 'critical' });
    await see({ ...missing, severity: 'critical' });
    await see(missing);
    await deliver();
    await deliver();
    expect(events()).toEqual(['raised workers_missing warning', 'raised workers_missing critical']);
  });

  it.each([500, 307])(
    'that answers %s receives the same notice again, and later notices only after it',
    async (status) => {
      answer = status;
      await see(BACKLOG);
      await passes('alerts');
      await see();
      await deliver();
      await deliver();
      await passes('notices');
      await deliver();
      expect(events()).toEqual(Array(2).fill('raised queue_backlog warning'));
      answer = 200;
      await passes('notices');
      await deliver();
      expect(events().slice(2)).toEqual(['raised queue_backlog warning', 'cleared queue_backlog warning']);
      const [first, second, third] = told();
      expect([second.id, third.id]).toEqual([first.id, first.id]);
      expect(JSON.stringify(api.lines)).not.toContain('secret-path');
    },
  );

  it('hears no more of what it has not taken for a day', async () => {
    answer = 500;
    await see(BACKLOG);
    await passes('day');
    await deliver();
    const { rows } = await given.database.db.execute(sql`SELECT FROM alert_notices`);
    expect(rows).toEqual([]);
    expect(api.lines.at(-1)).toMatchObject({ event: 'alert_notice_dropped', reason: 'it answered 500' });
  });

  it('receives one notice from a fleet', async () => {
    const other = await start(given.url);
    onTestFinished(() => other.stop());
    const subjects = Array.from({ length: 50 }, (_, at) => ({ ...BACKLOG, subject: `q${at}` }));
    await Promise.all([see(...subjects), other.app.get(AlertsStore).seen(subjects)]);
    await Promise.all([deliver(), other.app.get(AlertNotices).deliver()]);
    expect(new Set(told().map(({ subject }) => subject)).size).toBe(50);
    expect(received).toHaveLength(50);
  });

  it('learns that the database is away, from memory, and that it is back', async () => {
    const line = await lineTo(given.url);
    const cut = await startApi({
      databaseUrl: line.url,
      config: { ...api.config, roles: new Set(['scheduler' as const]) },
      modules: [OperationsModule],
    });
    onTestFinished(() => {
      line.cut();
      return cut.stop();
    });
    const look = async () => {
      cut.clock.advance(10_000);
      await cut.app.get(Health).read();
      await cut.app.get(AlertNotices).deliverFromMemory();
    };
    const ofDatabase = () => told().filter(({ subject }) => subject === 'postgres');
    const eventsOfDatabase = () => ofDatabase().map(({ event }) => event);
    const lookUntil = (expected: string[]) =>
      vi.waitFor(async () => {
        await look();
        expect(eventsOfDatabase()).toEqual(expected);
      }, WAIT_OPTIONS);
    await look();
    answer = 500;
    line.hold();
    await lookUntil(['raised']);
    answer = 200;
    await lookUntil(['raised', 'raised']);
    line.cut();
    await lookUntil(['raised', 'raised', 'cleared']);
    const [first, second, third] = ofDatabase();
    expect(second.id).toBe(first.id);
    expect(third).toMatchObject({ code: 'dependency_down', since: first.since });
  });
});
