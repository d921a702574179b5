import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Database } from '../../src/platform/database/database.js';
import { deadLetters } from '../../src/platform/jobs/dead-letters/dead-letters.table.js';
import { type Publication, publications } from '../../src/publishing/publications/publications.table.js';
import type { PlatformWorld, Shown } from './platform-world.js';

const POLL_MS = 250;
const OPEN = sql`status IN ('scheduled', 'queued', 'publishing')`;

/** Compares the database with what the platforms show. */
export interface Reckoning {
  published: number;
  /** Publications that are on no platform and have a reason and a dead letter. */
  failed: number;
  unknown: number;
  /** Publications that are shown more than once. */
  doubled: string[];
  /** Publications whose status differs from what their platform shows, or has no reason. */
  wrong: string[];
}

/** Returns the number of publications that wait or are being published. */
export const openCount = (database: Database): Promise<number> => database.db.$count(publications, OPEN);

/** Waits until there are none. */
export async function allEnded(database: Database, patienceMs: number): Promise<void> {
  const end = Date.now() + patienceMs;
  for (let left = await openCount(database); left; left = await openCount(database)) {
    if (Date.now() > end) throw new Error(`${left} have not ended: ${await examples(database)}`);
    await sleep(POLL_MS);
  }
}

export async function reckon(database: Database, world: PlatformWorld): Promise<Reckoning> {
  const rows = await database.db.select().from(publications);
  const letters = await database.db.select({ subject: deadLetters.subject }).from(deadLetters);
  const buried = new Set(letters.map(({ subject }) => subject));
  const shown = grouped(world.shown(), ({ platform, text }) => `${platform}: ${text}`);
  const nameOf = ({ platform, content }: Publication) => `${platform}: ${content.text}`;
  const stateOf = (row: Publication) => truth(row, shown.get(nameOf(row)) ?? [], buried.has(row.id));
  const states = grouped(rows, stateOf);
  const wanted = new Set(rows.map(nameOf));
  const strangers = [...shown.keys()].filter((name) => !wanted.has(name)).map((name) => `${name} was never wanted`);
  return {
    published: states.get('published')?.length ?? 0,
    failed: states.get('failed')?.length ?? 0,
    unknown: states.get('unknown')?.length ?? 0,
    doubled: [...shown].filter(([, posts]) => posts.length > 1).map(([name]) => name),
    wrong: [...strangers, ...(states.get('wrong') ?? []).map((row) => described(row, shown.get(nameOf(row)) ?? []))],
  };
}

function grouped<T>(items: T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function truth({ status, platformPostId, lastError }: Publication, posts: Shown[], isBuried: boolean) {
  if (status === 'published' && posts.some(({ postId }) => postId === platformPostId)) return 'published';
  if (status === 'failed' && !posts.length && lastError && isBuried) return 'failed';
  return status === 'unknown' && lastError ? 'unknown' : 'wrong';
}

const described = ({ id, platform, status, platformPostId, lastError }: Publication, posts: Shown[]) =>
  JSON.stringify({ id, platform, status, platformPostId, lastError, shown: posts.map(({ postId }) => postId) });

async function examples(database: Database): Promise<string> {
  const { rows } = await database.db.execute(sql`
    SELECT id, platform, status, attempts, job_state, not_before, waiting_for, last_error FROM ${publications}
    WHERE ${OPEN} ORDER BY id LIMIT 5`);
  return JSON.stringify(rows);
}
