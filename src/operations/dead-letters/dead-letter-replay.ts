import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { and, inArray, type SQL } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { Id } from '../../platform/database/columns.js';
import type { Db } from '../../platform/database/database.js';
import { deadLetters } from '../../platform/jobs/dead-letters/dead-letters.table.js';
import type { JobDefinition } from '../../platform/jobs/job-catalogue.js';
import { SAME_OWNER } from '../../platform/jobs/job-columns.js';
import { JobHandlers } from '../../platform/jobs/job-handler.js';
import type { WaitingRow } from '../../platform/jobs/job-rows.js';
import { databaseTime } from '../../platform/time/database-time.js';
import { Periodic } from '../../platform/time/periodic.js';
import type { DeadLetterFilter } from './dead-letter.js';
import { between, type DeadLetterRow, DeadLettersStore, matching } from './dead-letters.store.js';
import { ReplayQueue } from './replay-queue.js';

const BATCH = 500;

export interface Replayed {
  replayed: number;
  refused: { id: string; why: string }[];
}

interface Decision {
  replayed: DeadLetterRow[];
  refused: Replayed['refused'];
  enqueue(): Promise<void>;
}

/** Runs dead jobs again. The sweep covers a crash between the decision and the queue. */
@Injectable()
export class DeadLetterReplay implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly periodic: Periodic,
    private readonly handlers: JobHandlers,
    private readonly letters: DeadLettersStore,
    private readonly queue: ReplayQueue,
  ) {}

  onApplicationBootstrap() {
    this.periodic.every(this.config.sweepMs, 'replay sweep', () => this.enqueuePending());
  }

  async replay(ids: string[]): Promise<Replayed> {
    const batch = await this.replayBatch(inArray(deadLetters.id, ids));
    const { replayed, refused } = sum(batch);
    return { replayed, refused: [...refused, ...notOpen(ids, batch.flatMap(decidedIds))] };
  }

  /** Replays the letters that are open now. Jobs that fail again meanwhile are left for another time. */
  async replayAll(filter: DeadLetterFilter): Promise<Replayed> {
    const upTo = await this.letters.newestId();
    const total: Replayed = { replayed: 0, refused: [] };
    for (let after = '0'; ; ) {
      const batch = await this.replayBatch(and(matching(filter), between(after, upTo)));
      if (!batch.length) return total;
      const { replayed, refused } = sum(batch);
      total.replayed += replayed;
      total.refused.push(...refused);
      after = lastId(batch);
    }
  }

  private async replayBatch(which: SQL | undefined): Promise<Decision[]> {
    const decisions = await this.letters.decideOpen(which, BATCH, async (db, open) => {
      const decisions: Decision[] = [];
      for (const [queue, letters] of groupByQueue(open)) decisions.push(await this.decide(db, queue, letters));
      return decisions;
    });
    for (const decision of decisions) await decision.enqueue();
    return decisions;
  }

  private async decide(db: Db, queue: string, letters: DeadLetterRow[]): Promise<Decision> {
    const [job, handler] = this.handlers.find(queue) ?? [];
    if (!job || !handler) return refuseAll(letters, `nothing here runs jobs of the queue ${queue}`);
    const [readable, outdated] = partition(letters, ({ payload }) => job.data.safeParse(payload).success);
    const rows = await putToWork(db, job, readable);
    const awake = new Set(rows?.map(({ id }) => id));
    const [replayed, gone] = partition(readable, ({ subject }) => !rows || awake.has(subject));
    for (const { payload } of replayed) await handler.replayed?.(db, job.data.parse(payload));
    await this.letters.close(
      db,
      replayed.map(({ id }) => id),
      { state: 'replayed', replayPending: !rows },
    );
    const refused = [...refuseAll(outdated, OUTDATED).refused, ...refuseAll(gone, GONE).refused];
    return { replayed, refused, enqueue: () => this.queue.add(job, replayed, rows) };
  }

  private async enqueuePending(): Promise<void> {
    const decidedBefore = new Date(databaseTime.nowMs() - this.config.sweepMs);
    for (const [queue, letters] of groupByQueue(await this.letters.pendingReplays(decidedBefore, BATCH))) {
      const [job] = this.handlers.find(queue) ?? [];
      if (job) await this.queue.add(job, letters);
    }
  }
}

const GONE = 'what it was about is gone, or waits to run already';
const OUTDATED = 'its data is not what this job takes (any more)';

/** Returns undefined for a job without rows. */
async function putToWork(db: Db, job: JobDefinition, letters: DeadLetterRow[]): Promise<WaitingRow[] | undefined> {
  const ids = letters.map(({ subject }) => subject).filter((subject) => Id.safeParse(subject).success);
  return job.rows?.putToWork(db, ids, { cause: 'replay', owner: SAME_OWNER });
}

function refuseAll(letters: DeadLetterRow[], why: string): Decision {
  return { replayed: [], refused: letters.map(({ id }) => ({ id, why })), enqueue: async () => undefined };
}

function sum(decisions: Decision[]): Replayed {
  return {
    replayed: decisions.reduce((total, { replayed }) => total + replayed.length, 0),
    refused: decisions.flatMap(({ refused }) => refused),
  };
}

const decidedIds = ({ replayed, refused }: Decision) => [...replayed, ...refused].map(({ id }) => id);

function lastId(decisions: Decision[]): string {
  const ids = decisions.flatMap(decidedIds).map(BigInt);
  return String(ids.reduce((most, id) => (id > most ? id : most)));
}

export function notOpen(ids: string[], done: string[]): Replayed['refused'] {
  const others = [...new Set(ids)].filter((id) => !done.includes(id));
  return others.map((id) => ({ id, why: 'It is not there, or was replayed or discarded before.' }));
}

function groupByQueue(letters: DeadLetterRow[]): Map<string, DeadLetterRow[]> {
  const groups = new Map<string, DeadLetterRow[]>();
  for (const letter of letters) groups.set(letter.queue, [...(groups.get(letter.queue) ?? []), letter]);
  return groups;
}

function partition<T>(items: T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
