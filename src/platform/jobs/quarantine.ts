import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Job } from 'bullmq';
import { sql } from 'drizzle-orm';
import { Database } from '../database/database.js';
import { LOG, type Log } from '../log/log.js';
import { deadLetters } from './dead-letters/dead-letters.table.js';
import type { JobEnvelope } from './job-catalogue.js';
import { jobDeaths } from './job-deaths.table.js';
import { GiveUp } from './outcomes.js';

/** A job that was running in this many process deaths within the window runs apart from others from then on. */
const SUSPECT_DEATHS = 3;
const WINDOW = sql`interval '10 minutes'`;
/** A job is given up after this many deaths of its process, whatever the cause. */
const MAX_DEATHS = 20;
/** A job that ended its process does not run for this long unless its dead letter is replayed. */
const REST = sql`interval '1 day'`;
const RETENTION = sql`interval '7 days'`;
const REFRESH_INTERVAL_MS = 60_000;
const MAX_WAIT_MS = 30_000;
const POLL_MS = 50;
/** Jobs of dead processes come first, so more suspects arrive right after the first one. */
const GATHER_MS = 250;

interface PausablePool {
  readonly busy: number;
  pause(): Promise<void>;
  resume(): Promise<void>;
}

interface SuspectJob {
  queue: string;
  job: Job;
  envelope: JobEnvelope;
}

/** Suspects that this process runs at the same time, and beside nothing else. */
interface Ward {
  members: number;
  isOpen: boolean;
  /** Resolves to the time from which nothing else runs. */
  secluded: Promise<string>;
}

/**
 * Repeated suspects run beside nothing but other suspects. If their process dies again, and no other process died
 * meanwhile, one of them is the cause: each runs alone from then on, and the one whose process dies is given up.
 */
@Injectable()
export class Quarantine implements OnApplicationShutdown {
  pools: () => PausablePool[] = () => [];
  private ward: Ward | undefined;
  private causes = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Call this before the first job is taken. */
  async open(): Promise<void> {
    await this.refresh();
    const refresh = () =>
      this.refresh().catch((err) =>
        this.log.debug({ event: 'job_deaths_not_read', err }, 'Job deaths could not be read'),
      );
    this.timer = setInterval(refresh, REFRESH_INTERVAL_MS).unref();
  }

  onApplicationShutdown() {
    clearInterval(this.timer);
  }

  /** Costs nothing for a job whose process never died. Throws `GiveUp` for a job that is the cause. */
  async mustRunApart(suspect: SuspectJob): Promise<boolean> {
    const { queue, job, envelope } = suspect;
    const isKnownCause = this.causes.has(keyOf(queue, envelope.subject));
    if (!job.stalledCounter && !isKnownCause) return false;
    if (job.stalledCounter > envelope.deaths) await this.recordDeath(suspect);
    if (job.stalledCounter >= MAX_DEATHS)
      throw new GiveUp(`its process died ${job.stalledCounter} times while running it`);
    if (isKnownCause) {
      await this.refuseResting(suspect);
      envelope.isSolitary = true;
    }
    return isKnownCause || (await this.recentDeaths(suspect)) >= SUSPECT_DEATHS;
  }

  /** Returns undefined if other suspects are running: give the job back. */
  async runApart<T>({ job, envelope }: SuspectJob, work: () => Promise<T>): Promise<{ result: T } | undefined> {
    const ward = this.enter(envelope);
    if (!ward) return undefined;
    try {
      envelope.apart = { since: await ward.secluded, others: ward.members - 1 };
      await job.updateData(envelope);
      return { result: await work() };
    } finally {
      delete envelope.apart;
      await job.updateData(envelope).catch(() => undefined);
      await this.leave(ward);
    }
  }

  private enter({ isSolitary }: JobEnvelope): Ward | undefined {
    if (!this.ward) {
      this.ward = { members: 1, isOpen: !isSolitary, secluded: Promise.resolve('') };
      this.ward.secluded = this.seclude(this.ward);
      return this.ward;
    }
    if (isSolitary || !this.ward.isOpen) return undefined;
    this.ward.members += 1;
    return this.ward;
  }

  /** A pool may still start a job that it had requested before it was paused, so several quiet polls are required. */
  private async seclude(ward: Ward): Promise<string> {
    const pools = this.pools();
    if (ward.isOpen) await sleep(GATHER_MS);
    await Promise.all(pools.map((pool) => pool.pause()));
    const endsAt = Date.now() + MAX_WAIT_MS;
    const running = () => pools.reduce((sum, { busy }) => sum + busy, 0);
    for (let quiet = 0; quiet < 3 && Date.now() < endsAt; ) {
      await sleep(POLL_MS);
      quiet = running() > ward.members ? 0 : quiet + 1;
    }
    ward.isOpen = false;
    return this.now();
  }

  private async leave(ward: Ward): Promise<void> {
    ward.members -= 1;
    if (ward.members) return;
    await Promise.all(this.pools().map((pool) => pool.resume()));
    this.ward = undefined;
  }

  private async recordDeath({ queue, job, envelope }: SuspectJob): Promise<void> {
    const { subject, apart } = envelope;
    const oneIsCause = apart !== undefined && !(await this.othersDiedSince(apart.since, subject));
    const isCause = oneIsCause && apart.others === 0;
    await this.database.db.insert(jobDeaths).values({ queue, subject, wasAlone: apart !== undefined, isCause });
    envelope.deaths = job.stalledCounter;
    if (oneIsCause) envelope.isSolitary = true;
    delete envelope.apart;
    await job.updateData(envelope);
    this.log.warn(
      { event: 'job_death', queue, subject, deaths: envelope.deaths, isCause },
      'The process that ran a job died',
    );
    if (!isCause) return;
    this.causes.add(keyOf(queue, subject));
    throw new GiveUp(
      `it ends the process that runs it: ${envelope.deaths} processes died while running it, the last one while it ran alone`,
    );
  }

  /** Only deaths of jobs that did not run apart count. The death of another suspect has its own cause. */
  private async othersDiedSince(since: string, subject: string): Promise<boolean> {
    const { rowCount } = await this.database.db.execute(sql`
      SELECT FROM ${jobDeaths} WHERE noticed_at > ${since}::timestamptz AND NOT was_alone AND subject <> ${subject} LIMIT 1`);
    return rowCount !== 0;
  }

  private async recentDeaths({ queue, envelope: { subject } }: SuspectJob): Promise<number> {
    const { rows } = await this.database.db.execute<{ n: number }>(sql`
      SELECT count(*)::int AS n FROM ${jobDeaths}
      WHERE queue = ${queue} AND subject = ${subject} AND noticed_at > now() - ${WINDOW}`);
    return rows[0]?.n ?? 0;
  }

  private async refuseResting({ queue, envelope: { subject } }: SuspectJob): Promise<void> {
    const { rowCount } = await this.database.db.execute(sql`
      SELECT FROM ${jobDeaths} WHERE queue = ${queue} AND subject = ${subject} AND is_cause AND noticed_at > now() - ${REST}
        AND EXISTS (SELECT FROM ${deadLetters} AS letter
          WHERE letter.queue = ${queue} AND letter.subject = ${subject} AND letter.state = 'open')
      LIMIT 1`);
    if (rowCount)
      throw new GiveUp('it ended the process that ran it, and is not run again until its dead letter is replayed');
  }

  private async refresh(): Promise<void> {
    await this.database.db.execute(sql`DELETE FROM ${jobDeaths} WHERE noticed_at < now() - ${RETENTION}`);
    const { rows } = await this.database.db.execute<{ queue: string; subject: string }>(
      sql`SELECT DISTINCT queue, subject FROM ${jobDeaths} WHERE is_cause`,
    );
    this.causes = new Set(rows.map(({ queue, subject }) => keyOf(queue, subject)));
  }

  private async now(): Promise<string> {
    const { rows } = await this.database.db.execute<{ at: string }>(sql`SELECT clock_timestamp()::text AS at`);
    return rows[0]?.at ?? new Date().toISOString();
  }
}

const keyOf = (queue: string, subject: string) => `${queue} ${subject}`;
