import type pg from 'pg';

/**
 * The number of sources that are really fetched for the first time. All others are copies of them, posts included.
 */
export const PATTERNS = 200;
const FOLLOWS_OF_A_USER = 100;
/** The followers of each source, all of them active. */
export const FOLLOWERS = 3;
/** The interval of the tiers for this number of followers. */
const INTERVAL = "interval '1 hour'";

export interface World {
  client: pg.Client;
  /** The address of the feeds. */
  site: string;
}

/** Creates sources that were never fetched, with followers, due only when the benchmark says so. */
export async function makePatterns({ client, site }: World): Promise<void> {
  await insertSources(client, site, { from: 1, to: PATTERNS });
  await client.query(
    `INSERT INTO fetch_states (id, type, active_followers, interval_seconds, next_fetch_at, job_state)
     SELECT id, type, $1, 3600, now() + ${INTERVAL}, 'idle' FROM sources`,
    [FOLLOWERS],
  );
  await follow(client, PATTERNS);
  await client.query('VACUUM ANALYZE');
}

/** `withPosts` selects, as SQL on the id, which of the new sources get the posts of their pattern. */
export async function growTo(
  { client, site }: World,
  sources: number,
  { withPosts }: { withPosts: string },
): Promise<void> {
  const { rows } = await client.query<{ last: number }>('SELECT max(id)::int AS last FROM sources');
  const range = { from: (rows[0]?.last ?? 0) + 1, to: sources };
  await insertSources(client, site, range);
  await client.query(
    `INSERT INTO fetch_states (id, type, active_followers, interval_seconds, next_fetch_at, last_fetch_at, last_success_at,
       validators, allows, job_state)
     SELECT n, pattern.type, $3, 3600, now() + ${INTERVAL}, now(), now(), validators, allows, job_state
     FROM generate_series($1::int, $2::int) AS n JOIN fetch_states AS pattern ON pattern.id = ${patternOf('n')}`,
    [range.from, range.to, FOLLOWERS],
  );
  await copyPosts(client, range, withPosts);
  await follow(client, sources);
  await client.query('VACUUM ANALYZE');
}

const patternOf = (id: string) => `1 + (${id} - 1) % ${PATTERNS}`;

interface Range {
  from: number;
  to: number;
}

/** Ids of a new database start at 1, so a source's id is the number of its feed. */
async function insertSources(client: pg.Client, site: string, { from, to }: Range): Promise<void> {
  await client.query(
    `INSERT INTO sources (type, external_id, title, followers)
     SELECT 'rss', $1 || '/' || n, 'Feed ' || n, $4 FROM generate_series($2::int, $3::int) AS n ORDER BY n`,
    [site, from, to, FOLLOWERS],
  );
}

const POST_COLUMNS =
  'external_id, url, title, content, safe_content, author, media, metrics, published_at, found_at, content_hash, search';

async function copyPosts(client: pg.Client, { from, to }: Range, which: string): Promise<void> {
  await client.query(
    `INSERT INTO posts (source_id, ${POST_COLUMNS})
     SELECT n, ${POST_COLUMNS} FROM generate_series($1::int, $2::int) AS n JOIN posts ON source_id = ${patternOf('n')}
     WHERE ${which} ORDER BY n, published_at`,
    [from, to],
  );
  await client.query(
    `UPDATE sources SET last_post_at = newest.at, last_post_id = newest.id, revision = 1
     FROM (SELECT source_id, max(published_at) AS at, max(id) AS id FROM posts WHERE source_id BETWEEN $1 AND $2 GROUP BY 1)
       AS newest
     WHERE sources.id = newest.source_id`,
    [from, to],
  );
}

/**
 * Creates enough users for each source's followers. Users of a smaller world keep their follows, and more users are
 * added.
 */
async function follow(client: pg.Client, sources: number): Promise<void> {
  await client.query('TRUNCATE follows');
  await client.query(
    `INSERT INTO users (external_id, last_seen_at, active)
     SELECT 'reader-' || n, now(), true FROM generate_series(1, $1::int) AS n
     WHERE NOT EXISTS (SELECT FROM users WHERE external_id = 'reader-' || n)`,
    [(sources * FOLLOWERS) / FOLLOWS_OF_A_USER],
  );
  await client.query(
    `INSERT INTO follows (user_id, source_id)
     SELECT id, 1 + ((number - 1) * ${FOLLOWS_OF_A_USER} + k) % $1::int
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM users WHERE external_id LIKE 'reader-%') AS readers,
       generate_series(0, ${FOLLOWS_OF_A_USER - 1}) AS k`,
    [sources],
  );
}
