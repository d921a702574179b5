import { describe, expect, it } from 'vitest';
import { describeStatement } from './traced-queries.js';

describe('a statement in a trace', () => {
  it.each([
    ['select "id" from "posts" where "id" = $1', 'SELECT posts'],
    ['SELECT id FROM sources ORDER BY id FOR UPDATE', 'SELECT sources'],
    ['select a from unnest($1::int[]) as a left join "posts" on true', 'SELECT posts'],
    ['SELECT pg_notify($1, $2)', 'SELECT'],
    ['\n  INSERT INTO "posts" AS kept (id) VALUES ($1) ON CONFLICT DO UPDATE SET id = $1', 'INSERT posts'],
    ['update "users" set "name" = $1', 'UPDATE users'],
    ['delete from "users" where id = $1', 'DELETE users'],
    ['WITH held AS (SELECT id FROM "jobs" FOR  UPDATE SKIP LOCKED) UPDATE "jobs" SET x = 1 FROM held', 'UPDATE jobs'],
    ['WITH one AS (SELECT id FROM a FOR NO KEY UPDATE) SELECT id FROM one', 'SELECT a'],
    ['BEGIN', 'BEGIN'],
    ['', 'QUERY'],
  ])('%s is called by its deed and its table', (text, name) => {
    expect(describeStatement(text).name).toBe(name);
  });

  it('has its text in one line', () => {
    const { attributes } = describeStatement('\n  SELECT 1\n    FROM "posts"\n');
    expect(attributes).toMatchObject({ 'db.query.text': 'SELECT 1 FROM "posts"', 'db.collection.name': 'posts' });
  });
});
