import { eq, inArray, sql } from 'drizzle-orm';
import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { createTaskTables, taskJob, tasks } from '../../../test/queue/tasks.js';
import { idReference, instant } from '../database/columns.js';
import { PreparedQuery } from '../database/prepared-query.js';
import { IDLE_JOB, isWaiting, JOB_DONE, jobInState, jobIs, jobIsDueIn, jobIsNot, jobVersion } from './job-columns.js';
import { type Claim, claimLists, JobRows } from './job-rows.js';

const { rows } = taskJob;
const given = testDatabase();
beforeAll(() => createTaskTables(given.database.db));

type Task = typeof tasks.$inferSelect;

async function store(...values: Partial<Task>[]): Promise<Task[]> {
  return given.database.db
    .insert(tasks)
    .values(values.map((value) => ({ script: 'new', ...value })))
    .returning();
}

async function claimed({ id, jobRun }: Task): Promise<Claim> {
  const [claim] = await rows.claim(given.database.pool, [{ id, run: jobRun }]);
  if (!claim) throw new Error('not claimed');
  return claim;
}

async function read(...stored: Task[]): Promise<Task[]> {
  const ids = stored.map(({ id }) => id);
  return given.database.db.select().from(tasks).where(inArray(tasks.id, ids)).orderBy(tasks.id);
}

describe('a statement of a feature for several claims', () => {
  const renaming = new PreparedQuery<{ id: string }>(sql`
    WITH held AS MATERIALIZED (
      ${rows.fenced({ lists: { new_name: 'text' }, columns: sql`new_name`, only: sql`script <> 'kept'` })}
    )
    UPDATE ${tasks} SET ${JOB_DONE}, script = new_name FROM held WHERE id = held_id RETURNING id`);
  const rename = async (claims: Claim[]) => {
    const values = { ...claimLists(claims), new_name: claims.map((_, at) => `name ${at}`) };
    return (await renaming.run(given.database.pool, values)).map(({ id }) => id);
  };

  it('writes for each claim what belongs to it, and ends the work', async () => {
    const stored = await store({}, {});
    const claims = await Promise.all(stored.map(claimed));
    expect((await rename(claims.toReversed())).toSorted()).toEqual(stored.map(({ id }) => id).toSorted());
    expect(await read(...stored)).toMatchObject([
      { script: 'name 1', jobState: 'done' },
      { script: 'name 0', jobState: 'done' },
    ]);
  });

  it('leaves out rows that another run has claimed, that do not wait any more, or that the condition excludes', async () => {
    const stored = await store({}, {}, { script: 'kept' }, {});
    const [overtaken, withdrawn, kept, good] = stored;
    const claims = await Promise.all(stored.map(claimed));
    if (!overtaken || !withdrawn || !kept || !good) throw new Error('not stored');
    await claimed(overtaken);
    await rows.withdraw(given.database.db, eq(tasks.id, withdrawn.id));
    expect(await rename(claims)).toEqual([good.id]);
    expect((await read(overtaken, withdrawn, kept)).map(({ script }) => script)).toEqual(['new', 'new', 'kept']);
  });
});

describe('withdrawing', () => {
  it('takes rows from their workers and changes them in the same statement', async () => {
    const [held, idle, other] = await store({}, { jobState: 'idle' }, { script: 'other' });
    if (!held || !idle || !other) throw new Error('not stored');
    const claim = await claimed(held);
    const which = inArray(tasks.id, [held.id, idle.id, other.id]);
    const ids = await rows.withdraw(given.database.db, sql`${which} AND script = 'new'`, { set: sql`script = 'gone'` });
    expect(ids).toEqual([held.id, idle.id]);
    expect(await rows.end(given.database.pool, [claim])).toEqual([false]);
    expect(await read(held, idle, other)).toMatchObject([
      { script: 'gone', jobState: 'done' },
      { script: 'gone', jobState: 'done' },
      { script: 'other', jobState: 'waiting' },
    ]);
  });

  it('keeps to its limit, lowest ids first, and to the rows of its job', async () => {
    const stored = await store({ script: 'mine' }, { script: 'not mine' }, { script: 'mine' }, { script: 'mine' });
    const [first, , second] = stored.map(({ id }) => id);
    const mine = new JobRows(tasks, 'taskId').only(sql`script = 'mine'`);
    const which = inArray(
      tasks.id,
      stored.map(({ id }) => id),
    );
    expect(await mine.withdraw(given.database.db, which, { limit: 2 })).toEqual([first, second]);
    expect((await read(...stored)).map(({ jobState }) => jobState)).toEqual(['done', 'waiting', 'done', 'waiting']);
  });
});

describe('a claim that reads', () => {
  const labels = pgTable('labels', { taskId: idReference(), name: text(), colour: jsonb(), madeAt: instant() });
  const reading = rows.reading({ tables: { task: tasks, label: labels }, on: sql`${labels.taskId} = ${tasks.id}` });

  beforeAll(() =>
    given.database.db.execute(sql`CREATE TABLE labels (task_id bigint, name text, colour jsonb, made_at timestamptz)`),
  );

  it('brings the row as the claim left it, and the rows that belong to it', async () => {
    const stored = await store({ script: 'one' }, { script: 'two' });
    const madeAt = new Date('2026-01-01T00:00:00Z');
    const made = stored.map(({ id }) => ({ taskId: id, name: `label ${id}`, colour: { red: 1 }, madeAt }));
    await given.database.db.insert(labels).values(made);
    const runs = stored.map(({ id, jobRun }) => ({ id, run: jobRun }));
    const claims = await reading.claim(given.database.pool, runs);
    const found = await read(...stored);
    expect(claims.map((claim) => claim?.read)).toEqual(found.map((task, at) => ({ task, label: made[at] })));
    expect(found.map(({ jobFence }) => jobFence)).toEqual(claims.map((claim) => claim?.fence));
  });

  it('reads nothing for a run that does not wait any more', async () => {
    const [task] = await store({ jobState: 'done' });
    const run = { id: task?.id ?? '', run: task?.jobRun ?? 0 };
    expect(await reading.claim(given.database.pool, [run])).toEqual([undefined]);
  });
});

it('puts rows to work and changes them in the same statement', async () => {
  const stored = await store({ jobState: 'idle' }, { jobState: 'waiting' });
  await rows.putToWork(
    given.database.db,
    stored.map(({ id }) => id),
    { set: sql`script = 'taken'` },
  );
  expect(await read(...stored)).toMatchObject([{ script: 'taken', jobState: 'waiting' }, { script: 'new' }]);
});

describe('what features say about jobs', () => {
  const select = async (which: ReturnType<typeof jobIs>, stored: Task[]) => {
    const ids = sql.param(stored.map(({ id }) => id));
    const { rows } = await given.database.db.execute<{ script: string }>(sql`
      SELECT script FROM ${tasks} WHERE id = ANY(${ids}::bigint[]) AND ${which} ORDER BY id`);
    return rows.map(({ script }) => script);
  };

  it('finds rows by the state of their job', async () => {
    const stored = await store(
      { script: 'now' },
      { script: 'later', jobRunAt: new Date(Date.now() + 60_000) },
      { script: 'idle', ...jobInState('idle') },
      { script: 'failed', ...jobInState('failed') },
    );
    expect(await select(jobIs('waiting'), stored)).toEqual(['now', 'later']);
    expect(await select(jobIsNot('waiting', tasks), stored)).toEqual(['idle', 'failed']);
    expect(await select(jobIs('failed', 'tasks'), stored)).toEqual(['failed']);
    expect(await select(sql<boolean>`${jobIs('waiting')} AND ${jobIsDueIn(0)}`, stored)).toEqual(['now']);
    expect(await select(sql<boolean>`${jobIs('waiting')} AND ${jobIsDueIn(120)}`, stored)).toEqual(['now', 'later']);
    expect(stored.map(isWaiting)).toEqual([true, true, false, false]);
  });

  it('starts rows that nobody has put to work', async () => {
    const { rows } = await given.database.db.execute<{ id: string; is_idle: boolean }>(sql`
      INSERT INTO ${tasks} (script, ${IDLE_JOB.column}) SELECT 'new', ${IDLE_JOB.value} RETURNING id, ${jobIs('idle')} AS is_idle`);
    expect(rows).toMatchObject([{ is_idle: true }]);
  });

  it('notices that a row was put to work or has ended, not that it was claimed', async () => {
    const { db } = given.database;
    const [task] = await store(jobInState('idle'));
    if (!task) throw new Error('not stored');
    const version = async () => {
      const [found] = await db
        .select({ version: jobVersion(tasks) })
        .from(tasks)
        .where(eq(tasks.id, task.id));
      return found?.version;
    };
    const versions = [await version()];
    const [waiting] = await rows.putToWork(db, [task.id]);
    versions.push(await version());
    const [claim] = await rows.claim(given.database.pool, [{ id: task.id, run: waiting?.run ?? 0 }]);
    expect(await version()).toBe(versions[1]);
    await rows.end(given.database.pool, claim ? [claim] : []);
    versions.push(await version());
    await rows.putToWork(db, [task.id]);
    versions.push(await version());
    expect(new Set(versions).size).toBe(4);
  });
});
