import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { eventually, feedOfHub, openQuiet } from '../../../test/fetching/pushed-feed.js';
import { testDatabase } from '../../../test/harness/database.js';
import type { Reader } from '../../../test/harness/reader.js';

/** Maximum size of a delivery. */
const BYTES = 10_000_000;

const given = testDatabase();
let reader: Reader;
beforeAll(async () => {
  reader = await openQuiet(given.url, 'https://millrace.example/');
  await reader.app.listen(0, '127.0.0.1');
});
afterAll(() => reader?.stop());

type Feed = Awaited<ReturnType<typeof feedOfHub>>;

interface Begun {
  sent: ClientRequest;
  answer?: IncomingMessage;
}

/** Sends deliveries of which only the beginning arrives while the test runs. */
async function begin(feed: Feed, count: number): Promise<Begun[]> {
  const { port } = reader.app.getHttpServer().address() as AddressInfo;
  const path = `/websub/${(await feed.subscription()).token}`;
  return Array.from({ length: count }, () => {
    const headers = { 'content-length': BYTES };
    const begun: Begun = { sent: request({ host: '127.0.0.1', port, path, headers, method: 'POST' }) };
    begun.sent.on('error', () => undefined);
    begun.sent.on('response', (answer) => {
      begun.answer = answer.resume();
    });
    begun.sent.write('<rss>');
    onTestFinished(() => void begun.sent.destroy());
    return begun;
  });
}

const answered = (begun: Begun[]) => begun.filter(({ answer }) => answer);

it('a hub that pushes too much at a time is asked to retry later, before more is read', async () => {
  const feed = await feedOfHub(reader);
  const begun = await begin(feed, 6);
  await eventually(() => expect(answered(begun)).toHaveLength(2));
  for (const { answer } of answered(begun)) {
    expect(answer).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1', connection: 'close' } });
  }
  expect(await feed.deliver('news!')).toBe(503);
  begun.find(({ answer }) => !answer)?.sent.destroy();
  await eventually(async () => expect(await feed.deliver('news!')).toBe(202));
  expect(answered(begun)).toHaveLength(2);
});

it('all together push no more at a time than fits into memory', async () => {
  const feeds = await Promise.all([1, 2, 3, 4].map(() => feedOfHub(reader)));
  const begun = (await Promise.all(feeds.map((feed) => begin(feed, 3)))).flat();
  await eventually(() => expect(answered(begun)).toHaveLength(2));
  for (const { answer } of answered(begun)) expect(answer).toMatchObject({ statusCode: 503 });
  for (const { sent } of begun) sent.destroy();
  for (const feed of feeds) await eventually(async () => expect(await feed.deliver('news!')).toBe(202));
});

it('a caller that tries unknown addresses is refused, and a hub behind the same proxy is not', async () => {
  const feed = await feedOfHub(reader);
  const statuses: number[] = [];
  for (let time = 0; time < 70; time++) {
    const { statusCode } = await reader.app.inject({ method: 'POST', url: `/websub/guess${time}`, payload: '<rss/>' });
    statuses.push(statusCode);
  }
  expect([statuses[0], statuses.at(-1)]).toEqual([410, 429]);
  expect((await reader.app.inject({ url: '/websub/guess' })).statusCode).toBe(429);
  expect(await feed.deliver('news!')).toBe(202);
});
