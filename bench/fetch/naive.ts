import pg from 'pg';
import Parser from 'rss-parser';
import { addresses, type Contestant, checkFound, type Feeds, newItems, perSecond } from './contest.js';

const TABLE = 'naive_items';
const INSERT = `INSERT INTO ${TABLE} (feed, guid, title, url, content, author, published_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT DO NOTHING`;

/** The obvious implementation: request each feed, parse all of it, and insert each item unless it exists. */
export async function withNaiveLoop<T>(
  databaseUrl: string,
  feeds: Feeds,
  work: (naive: Contestant) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `CREATE TABLE ${TABLE} (feed text, guid text, title text, url text, content text, author text, published_at timestamptz,
       PRIMARY KEY (feed, guid))`,
  );
  const parser = new Parser();
  let isFirst = true;
  const round = async () => {
    let found = 0;
    const startedAt = performance.now();
    for (const address of addresses(feeds)) found += await fetchOne(client, parser, address);
    const rate = perSecond(feeds.count, performance.now() - startedAt);
    checkFound(found, newItems(feeds.count, isFirst), 'the loop with rss-parser');
    isFirst = false;
    return rate;
  };
  try {
    return await work({ round });
  } finally {
    await client.query(`DROP TABLE ${TABLE}`);
    await client.end();
  }
}

async function fetchOne(client: pg.Client, parser: Parser, address: string): Promise<number> {
  const { items } = await parser.parseURL(address);
  let found = 0;
  for (const { guid, title, link, content, creator, isoDate } of items) {
    const { rowCount } = await client.query(INSERT, [address, guid, title, link, content, creator, isoDate]);
    found += rowCount ?? 0;
  }
  return found;
}
