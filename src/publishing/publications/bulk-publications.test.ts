import { expect, it, vi } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { adminKey, startPublishing, startWebhook } from '../../../test/publishing/publisher.js';

const db = testDatabase();
const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

async function withWebhook(user: string, config = {}) {
  const webhook = await startWebhook();
  const millrace = await startPublishing(db.url, config);
  const publisher = millrace.as(user);
  const { id: accountId } = await publisher.account(webhook.given);
  const bulk = (payload: object | string, headers: Record<string, string> = {}) =>
    millrace.send({
      method: 'POST',
      url: '/api/v1/publications/bulk',
      key: adminKey,
      payload,
      headers: { 'x-millrace-user': user, ...headers },
    });
  return { ...webhook, millrace, publisher, accountId, bulk };
}

it('stores 10,000 posts of one request together, and publishes no more of them than the limit allows', async () => {
  const limit = new Map([['webhook', { most: 3, windowMs: HOUR_MS }]]);
  const { accountId, bulk, fake, publisher } = await withWebhook('anna', { platformLimits: limit });
  const posts = Array.from({ length: 10_000 }, (_, at) => ({
    accountId,
    content: { text: `Post ${at}` },
    priority: ['high', 'normal', 'low'][at % 3],
    scheduledAt: at % 2 ? inHours(-1) : inHours(5),
  }));
  const answer = await bulk({ posts });
  expect(answer.statusCode, answer.body.slice(0, 500)).toBe(202);
  const { ids, ...counts } = answer.json();
  const platforms = { webhook: 10_000 };
  expect(counts).toEqual({ posts: 10_000, publications: 10_000, due: 5_000, scheduled: 5_000, platforms });
  const { rows } = await db.database.pool.query(
    `SELECT count(*)::int AS stored,
      count(DISTINCT xmin::text::bigint) FILTER (WHERE scheduled_at > now())::int AS transactions,
      count(*) FILTER (WHERE content->>'text' = 'Post ' || (array_position($1::bigint[], id) - 1))::int AS "inOrder"
     FROM publications WHERE account_id = $2`,
    [ids, accountId],
  );
  expect(rows).toEqual([{ stored: 10_000, transactions: 1, inOrder: 10_000 }]);
  await vi.waitFor(() => expect(fake.posts).toHaveLength(3), { timeout: 20_000 });
  const { body } = await publisher.send('GET', '/platforms');
  const webhook = body.items.find(({ name }: { name: string }) => name === 'webhook');
  const { high, normal, low, retrying, dead } = webhook.counts;
  expect([high + normal + low, retrying, dead, webhook.due.all]).toEqual([4_997, 0, 0, 4_997]);
  expect(high).toBe(1_667 - 3);
  expect(fake.posts).toHaveLength(3);
}, 60_000);

it('reports every bad post and stores none', async () => {
  const { accountId, bulk, publisher } = await withWebhook('ben');
  const good = { accountId, content: { text: 'Good' } };
  const posts = [
    good,
    { ...good, scheduledAt: inHours(-30) },
    { ...good, priority: 'urgent' },
    { ...good, accountId: '999999' },
    { ...good, slot: 'next' },
    { ...good, content: {} },
    'nothing',
  ];
  const answer = await bulk({ posts });
  expect(answer.json()).toMatchObject({ status: 422, code: 'bulk_refused' });
  const paths = answer.json().errors.map(({ path }: { path: string }) => path);
  expect(paths.toSorted()).toEqual([
    'posts.1.scheduledAt',
    'posts.2.priority',
    'posts.3.accountId',
    'posts.4.slot',
    'posts.5.content.text',
    'posts.6',
  ]);
  expect((await publisher.send('GET', '/publications')).body.items).toEqual([]);
  for (const wrong of [{ posts: [] }, {}, { posts: Array(10_001).fill(good) }])
    expect((await bulk(wrong)).statusCode).toBe(400);
});

it('reads CSV as spreadsheets write it, and names the lines that are wrong', async () => {
  const { accountId, bulk, publisher, fake } = await withWebhook('cora');
  const csv = (text: string) => bulk(text, { 'content-type': 'text/csv; charset=utf-8' });
  const answer = await csv(
    `\uFEFFaccount_id;Text;priority;scheduled_at\r\n${accountId};"Two\r\nlines; ""quoted""";High;\r\n\r\n` +
      `${accountId};Later;;${inHours(2)}\r\n`,
  );
  expect(answer.json()).toMatchObject({ posts: 2, due: 1, scheduled: 1 });
  const [first = ''] = answer.json().ids;
  expect(await publisher.when(first, 'published')).toMatchObject({ priority: 'high' });
  expect(fake.posts.map(({ text }) => text)).toEqual(['Two\r\nlines; "quoted"']);
  const wrong = await csv(`accountId,text,title\n${accountId},"a\nb"\n${accountId},c,d,e\n77,f\n`);
  expect(wrong.json().errors).toEqual([
    { path: 'lines.4', message: '4 cells under 3 columns' },
    { path: 'lines.5.accountId', message: 'you have no account 77' },
  ]);
  expect((await csv('accountId,colour\n1,red')).json().detail).toBe('lines.1: "colour" is not a column');
  expect((await csv(`accountId,text\n${accountId},"open`)).json().detail).toContain('lines.2: a quote is opened');
});

it('makes nothing new of a bulk request that is sent again with its key', async () => {
  const { accountId, bulk } = await withWebhook('dora');
  const posts = [1, 2].map((at) => ({ accountId, content: { text: `Once ${at}` }, scheduledAt: inHours(at) }));
  const send = (given: object[]) => bulk({ posts: given }, { 'idempotency-key': 'a-bulk' });
  const answers = await Promise.all([send(posts), send(posts)]);
  const [first, again] = answers.map((answer) => answer.json().ids);
  expect(first).toHaveLength(2);
  expect(again).toEqual(first);
  expect((await send(posts.slice(1))).json()).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
});
