import { AsyncLocalStorage } from 'node:async_hooks';
import { pino } from 'pino';
import { FetchWorker } from '../../src/fetching/run/fetch.worker.js';
import type { FetchJob } from '../../src/fetching/run/fetch-jobs.js';
import { SourceCatalogue } from '../../src/fetching/source-catalogue.js';
import { Database } from '../../src/platform/database/database.js';
import type { RowJob } from '../../src/platform/jobs/job-catalogue.js';
import type { JobRun } from '../../src/platform/jobs/job-handler.js';
import { JobLedger } from '../../src/platform/jobs/job-ledger.js';
import { LostClaim } from '../../src/platform/jobs/outcomes.js';
import type { Api } from '../harness/api.js';
import { stateOf } from './demand-parts.js';

/** Moments at which a worker may die or lose its job to another one. */
export const ENDS = ['done', 'before the commit', 'in the commit', 'after the commit', 'overtaken'] as const;
export type End = (typeof ENDS)[number];

class Died extends Error {}

/** Set if a worker must die at the end of its transaction. */
const dying = new AsyncLocalStorage<true>();

/** Makes statements and transactions fail that run while a worker dies. */
function makeMortal(database: Database): void {
  const transaction = database.transaction.bind(database);
  database.transaction = (work) =>
    transaction(async (db, client) => {
      const result = await work(db, client);
      if (dying.getStore()) throw new Died();
      return result;
    });
  database.pool.query = new Proxy(database.pool.query, {
    apply(query, pool, args) {
      if (dying.getStore()) throw new Died();
      return Reflect.apply(query, pool, args);
    },
  });
}

/** A worker without a queue. It fetches a source on request and dies at the requested moment. */
export class WorkerProcess {
  private readonly database: Database;
  private readonly worker: FetchWorker;
  private readonly catalogue: SourceCatalogue;

  constructor({ app }: Pick<Api, 'app'>) {
    this.database = app.get(Database);
    makeMortal(this.database);
    this.worker = app.get(FetchWorker);
    this.catalogue = app.get(SourceCatalogue);
  }

  async putToWork(sourceId: string): Promise<void> {
    const { type } = await stateOf(this.database, sourceId);
    await this.jobOf(type).rows.putToWork(this.database.db, [sourceId]);
  }

  /** Does what a job from the queue would do for the source. */
  async run(sourceId: string, end: End = 'done', given: Partial<JobRun> = {}): Promise<void> {
    const { type, jobRun } = await stateOf(this.database, sourceId);
    const ledger = this.ledgerOf(this.jobOf(type));
    const claim = await ledger.claim({ id: sourceId, run: jobRun });
    if (!claim) return;
    const overtake = () => ledger.claim({ id: sourceId, run: jobRun });
    const commit: JobRun['commit'] = async (effect) => {
      await begin(end, overtake);
      const result = await ledger.commit(claim, async (db) => {
        const written = await effect(db);
        if (end === 'in the commit') throw new Died();
        return written;
      });
      if (end === 'after the commit') throw new Died();
      return result;
    };
    const commitTogether: JobRun['commitTogether'] = async (write) => {
      await begin(end, overtake);
      const writing = () => ledger.writeTogether(claim, write);
      const result = await (end === 'in the commit' ? dying.run(true, writing) : writing());
      if (end === 'after the commit') throw new Died();
      return result;
    };
    const { signal } = new AbortController();
    const write: JobRun['write'] = (effect) => ledger.write(claim, effect);
    const writeTogether: JobRun['writeTogether'] = (write) => ledger.writeTogether(claim, write);
    const report = () => undefined;
    const progress = () => undefined;
    const writes = { read: claim.read, report, progress, write, writeTogether, ...given, commit, commitTogether };
    await this.worker.run({ sourceId }, { id: 'by-hand', attempt: 1, isLastAttempt: true, signal, ...writes });
  }

  /** Does the same where the process may end. */
  async runAndEnd(sourceId: string, end: End | undefined, signal: AbortSignal): Promise<void> {
    try {
      await this.run(sourceId, end, { signal });
    } catch (error) {
      if (!(error instanceof Died || error instanceof LostClaim || signal.aborted)) throw error;
    }
  }

  async fetch(sourceId: string): Promise<void> {
    await this.putToWork(sourceId);
    await this.run(sourceId);
  }

  private ledgerOf(job: RowJob<FetchJob>): JobLedger {
    return new JobLedger(job as never, this.worker, { database: this.database, log: pino({ level: 'silent' }) });
  }

  private jobOf(type: string): RowJob<FetchJob> {
    const job = this.catalogue.jobs.get(type);
    if (!job) throw new Error(`nothing fetches sources of type ${type}`);
    return job;
  }
}

async function begin(end: End, overtake: () => Promise<unknown>): Promise<void> {
  if (end === 'before the commit') throw new Died();
  if (end === 'overtaken') await overtake();
}
