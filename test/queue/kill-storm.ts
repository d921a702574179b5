import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { type Engine, type EngineOptions, startEngine } from './engine.js';
import { startWorkerProcess, type WorkerProcess } from './worker-process.js';

export interface Storm {
  jobs: number;
  kills: number;
  /** Maximum duration of a job. Durations are spread evenly below it. */
  longestMs: number;
  /** Number of running worker processes. */
  processes: number;
}

export interface StormResult {
  notDone: number;
  effectsTwice: number;
  deadLetters: number;
  /** Jobs that were running in a process when it was killed. */
  hit: number;
  /** The longest time from the last kill that hit a job to its effect. */
  slowestHitMs: number;
  /** The longest time from the last noticed death of a process that held the job to its effect. */
  slowestNoticedMs: number;
}

interface Kill {
  pid: number;
  at: Date;
}

/** Kills a random worker process again and again while jobs run, starting another in its place each time. */
export async function killStorm(options: EngineOptions, storm: Storm): Promise<StormResult> {
  const engine = await startEngine({ ...options, roles: 'scheduler' });
  try {
    const ids = await enqueueAll(engine, storm);
    const workers = await Promise.all(Array.from({ length: storm.processes }, () => startWorkerProcess(options)));
    const kills = await killOneAfterAnother(workers, { options, kills: storm.kills });
    await allEnded(engine, ids);
    await Promise.all(workers.map((worker) => worker.terminate()));
    return await assess(engine, kills);
  } finally {
    await engine.stop();
  }
}

async function enqueueAll(engine: Engine, { jobs, longestMs }: Storm): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < jobs; from += 1_000) {
    const scripts = Array.from(
      { length: Math.min(1_000, jobs - from) },
      (_, n) => `sleep ${((from + n) * 37) % longestMs}`,
    );
    ids.push(...(await engine.enqueue(scripts)));
  }
  return ids;
}

/** A new worker runs for a while before the next kill, so that every kill hits running jobs. */
async function killOneAfterAnother(
  workers: WorkerProcess[],
  { options, kills }: { options: EngineOptions; kills: number },
) {
  const killed: Kill[] = [];
  for (let n = 0; n < kills; n++) {
    await sleep(100 + Math.random() * 400);
    const index = Math.floor(Math.random() * workers.length);
    const victim = workers[index];
    if (!victim) throw new Error('no worker to kill');
    victim.kill();
    killed.push({ pid: victim.pid, at: new Date() });
    await victim.ended();
    workers[index] = await startWorkerProcess(options);
  }
  return killed;
}

async function allEnded(engine: Engine, ids: string[]): Promise<void> {
  for (;;) {
    const states = await engine.states(ids);
    if (!states.waiting) return;
    await sleep(500);
  }
}

async function assess(engine: Engine, kills: Kill[]): Promise<StormResult> {
  const { rows } = await engine.database.db.execute<StormResult & Record<string, unknown>>(sql`
    WITH killed AS (
      SELECT * FROM unnest(${sql.param(kills.map(({ pid }) => pid))}::int[],
        ${sql.param(kills.map(({ at }) => at.toISOString()))}::timestamptz[]) AS killed (pid, at)
    ), hits AS (
      SELECT effect.task_id, count(*) AS hits, min(effect.at - killed.at) AS since_kill
      FROM killed JOIN task_runs run USING (pid)
      JOIN task_effects effect ON effect.task_id = run.task_id AND effect.at > killed.at GROUP BY effect.task_id
    ), noticed AS (
      SELECT task_id, count(*) AS deaths, min(effect.at - noticed_at) AS since_notice
      FROM job_deaths JOIN task_effects effect ON task_id::text = subject GROUP BY task_id
    )
    SELECT
      (SELECT count(*)::int FROM tasks WHERE job_state <> 'done') AS "notDone",
      (SELECT count(*)::int FROM (SELECT FROM task_effects GROUP BY task_id HAVING count(*) > 1) twice) AS "effectsTwice",
      (SELECT count(*)::int FROM dead_letters) AS "deadLetters",
      (SELECT count(*)::int FROM hits) AS hit,
      (SELECT coalesce(extract(epoch FROM max(since_kill)) * 1000, 0)::int
        FROM hits JOIN noticed USING (task_id) WHERE deaths = hits) AS "slowestHitMs",
      (SELECT coalesce(extract(epoch FROM max(since_notice)) * 1000, 0)::int FROM noticed) AS "slowestNoticedMs"`);
  const [result] = rows;
  if (!result) throw new Error('nothing was counted');
  return result;
}
