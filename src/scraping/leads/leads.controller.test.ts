import { request } from 'node:http';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { ScrapingModule } from '../scraping.module.js';

const MANY = 20_000;

describe('the list of leads', () => {
  const db = testDatabase();
  let api: Api;
  beforeAll(async () => {
    api = await startApi({ databaseUrl: db.url, modules: [ScrapingModule], config: { requestsPerMinute: 100_000 } });
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    return () => api.stop();
  });

  const asked = (user: string, query: string) =>
    api.send({ url: `/api/v1/leads${query}`, key: api.adminKey, headers: { 'x-millrace-user': user } });
  const names = async (user: string, query: string) =>
    (await asked(user, query)).json().items.map(({ name }: { name: string }) => name);

  async function store(user: string, leads: { name: string; country?: string; emails?: string[] }[]) {
    await asked(user, '');
    for (const { name, country = null, emails = [] } of leads) {
      await db.database.db.execute(sql`
        INSERT INTO raw_leads (user_id, content_hash, name, emails, phones, country, source_type, scraped_at)
        SELECT id, ${name}, ${name}, ${sql.param(emails)}::text[], '{}', ${country}, 'web', now()
        FROM users WHERE external_id = ${user}`);
    }
  }

  async function storeMany(user: string) {
    await asked(user, '');
    await db.database.db.execute(sql`
      INSERT INTO raw_leads (user_id, content_hash, name, emails, phones, description, source_type, scraped_at)
      SELECT users.id, n::text, 'Company ' || n, '{}', '{}', repeat('x', 500), 'web', now()
      FROM users, generate_series(1, ${MANY}) AS n WHERE external_id = ${user}`);
  }

  it('finds what is typed, not what it would mean as a pattern, in any text and any case', async () => {
    const leads = [{ name: '100% Tools' }, { name: 'under_score' }, { name: 'back\\slash' }, { name: 'plain' }];
    await store('ann', [...leads, { name: 'Mailer', emails: ['info@somewhere.example'] }]);
    expect(await names('ann', '?q=%25')).toEqual(['100% Tools']);
    expect(await names('ann', '?q=_')).toEqual(['under_score']);
    expect(await names('ann', '?q=%5C')).toEqual(['back\\slash']);
    expect(await names('ann', '?q=SOMEWHERE.example')).toEqual(['Mailer']);
    expect(await names('ben', '?q=plain')).toEqual([]);
  });

  it('can be narrowed by country and source type, and refuses what cannot be one', async () => {
    await store('dan', [{ name: 'German', country: 'DE' }, { name: 'French', country: 'FR' }, { name: 'Unknown' }]);
    expect(await names('dan', '?country=de')).toEqual(['German']);
    expect(await names('dan', '?source_type=google')).toEqual([]);
    expect((await asked('dan', '?country=%00a')).statusCode).toBe(400);
    expect((await asked('dan', '?country=DEU')).statusCode).toBe(400);
  });

  it('is paged without gaps and repeats', async () => {
    await store(
      'eve',
      ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name })),
    );
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer: Awaited<ReturnType<typeof asked>> = await asked('eve', `?limit=2${cursor && `&cursor=${cursor}`}`);
      const { items, nextCursor }: { items: { name: string }[]; nextCursor: string | null } = answer.json();
      seen.push(...items.map(({ name }) => name));
      cursor = nextCursor;
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('is downloaded as a whole, however long it is', async () => {
    await storeMany('fay');
    const csv = (await asked('fay', '?format=csv')).body.trimEnd().split('\r\n');
    expect(csv).toHaveLength(MANY + 1);
    expect(new Set(csv.map((line) => line.split(',')[0])).size).toBe(MANY + 1);
  });

  it('reports no error if a client leaves in the middle of a download', async () => {
    await storeMany('gus');
    const headers = { authorization: `Bearer ${api.adminKey}`, 'x-millrace-user': 'gus' };
    const address = `${await api.app.getUrl()}/api/v1/leads?format=jsonl`;
    await new Promise<void>((resolve, reject) => {
      const sent = request(address, { headers, agent: false }, (response) => {
        response.once('data', () => {
          sent.destroy();
          resolve();
        });
        response.on('error', () => undefined);
      });
      sent.on('error', reject).end();
    });
    const left = () => api.lines.filter(({ aborted, userId }) => aborted && userId !== undefined).at(-1);
    await expect.poll(() => left()?.event, { timeout: 10_000 }).toBe('request_ended');
    expect(api.lines.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });
});
