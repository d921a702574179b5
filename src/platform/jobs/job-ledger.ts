import type { Job } from 'bullmq';
import { Batcher } from '../database/batcher.js';
import type { Database, Db } from '../database/database.js';
import { lostConnection } from '../database/lost-connection.js';
import type { Log } from '../log/log.js';
import { recordDeadLetter } from './dead-letters/record-dead-letter.js';
import type { JobDefinition, JobEnvelope } from './job-catalogue.js';
import type { JobHandler } from './job-handler.js';
import type { Claim, RowRun } from './job-rows.js';
import { LostClaim } from './outcomes.js';

export interface FailedJob {
  job: Job;
  envelope: JobEnvelope;
  data: object | undefined;
  claim: Claim | undefined;
}

/** Claims, and ends without an effect, are batched over the runs of a process. */
export class JobLedger {
  private readonly claims: Batcher<RowRun, Claim | undefined>;
  private readonly ends: Batcher<Claim, boolean>;

  constructor(
    private readonly definition: JobDefinition,
    private readonly handler: JobHandler<object>,
    private readonly platform: { database: Database; log: Log },
  ) {
    const { rows } = definition;
    const { pool } = platform.database;
    this.claims = new Batcher(async (runs) => (await rows?.claim(pool, runs)) ?? []);
    this.ends = new Batcher(async (claims) => (await rows?.end(pool, claims)) ?? []);
  }

  claim(run: RowRun): Promise<Claim | undefined> {
    return this.claims.call(run);
  }

  async end(claim: Claim): Promise<void> {
    if (!(await this.ends.call(claim))) throw lost(claim);
  }

  async commit<T>(claim: Claim | undefined, effect: (db: Db) => Promise<T>): Promise<T> {
    return this.platform.database.transaction(async (db) => {
      await this.finish(db, claim, 'done');
      return effect(db);
    });
  }

  async write<T>(claim: Claim | undefined, effect: (db: Db) => Promise<T>): Promise<T> {
    return this.platform.database.transaction(async (db) => {
      if (claim && !(await this.definition.rows?.hold(db, claim))) throw lost(claim);
      return effect(db);
    });
  }

  async writeTogether<T>(claim: Claim | undefined, write: (claim: Claim) => Promise<T | undefined>): Promise<T> {
    if (!claim) throw new Error('only a job with rows has a claim to write for');
    const written = await write(claim);
    if (written === undefined) throw lost(claim);
    return written;
  }

  async postpone(claim: Claim, until: Date): Promise<void> {
    if (!(await this.definition.rows?.postpone(this.platform.database.db, claim, until))) throw lost(claim);
  }

  /** An error in the feature's `failed` must not make the job run forever, so the rest is then written without it. */
  async bury(failed: FailedJob, reason: string): Promise<void> {
    const { database, log } = this.platform;
    try {
      await database.transaction(async (db) => {
        await this.writeDeath(db, failed);
        if (failed.data) await this.handler.failed?.(db, failed.data, reason);
      });
    } catch (error) {
      if (error instanceof LostClaim || lostConnection(error)) throw error;
      log.error({ event: 'failed_hook_failed', err: error }, 'The feature could not record the failure of its job');
      await database.transaction((db) => this.writeDeath(db, failed));
    }
  }

  private async writeDeath(db: Db, { job, envelope, claim }: FailedJob): Promise<void> {
    const { subject, data, failures } = envelope;
    await this.finish(db, claim, 'failed');
    await recordDeadLetter(db, {
      queue: this.definition.name,
      jobName: job.name,
      subject,
      payload: data,
      isReplayedFromPayload: !this.definition.rows,
      history: failures as [(typeof failures)[0]],
    });
  }

  private async finish(db: Db, claim: Claim | undefined, state: 'done' | 'failed'): Promise<void> {
    if (claim && !(await this.definition.rows?.finish(db, claim, state))) throw lost(claim);
  }
}

const lost = ({ id }: Claim) => new LostClaim(`row ${id} was taken over`);
