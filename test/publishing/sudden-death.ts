import { closeSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { logContext } from '../../src/platform/log/log.js';
import { MOMENTS, type Moment } from '../../src/publishing/sending/test-hooks.js';
import type { Environment } from '../program/millrace-process.js';

/** How a process must end, as its environment says. */
export const Death = z.object({
  moment: z.enum(MOMENTS),
  /** Folder with a file for each publication that was hit by any process. None is hit twice. */
  folder: z.string(),
  /** Maximum number of hits over all processes. After that no process dies. */
  most: z.number(),
  /** Number of publications that meet at the moment before the process dies, if they arrive soon. */
  together: z.number(),
  signal: z.enum(['SIGKILL', 'SIGSTOP']),
  /** How long a request has to leave the process, if the moment follows a request. */
  leavesInMs: z.number().default(20),
});
export type Death = z.input<typeof Death>;

export interface Orders<Told = Death> {
  death?: Told | undefined;
  /** How long after a call the platform may not show the post yet, if it differs from the default. */
  settlesInMs?: number | undefined;
}

/** A first delay of 60 s follows on 10 s to settle, so shorter times keep this proportion. */
const DELAY_BY_SETTLING = 6;

export const orders = ({ death, settlesInMs }: Orders): Environment => ({
  ...(death && { TEST_DEATH: JSON.stringify(death) }),
  ...(settlesInMs !== undefined && {
    TEST_SETTLES_IN_MS: String(settlesInMs),
    MILLRACE_PUBLISH_BACKOFF: `${DELAY_BY_SETTLING * settlesInMs}ms`,
  }),
});

export function readOrders({
  TEST_DEATH: death,
  TEST_SETTLES_IN_MS: ms,
}: NodeJS.ProcessEnv): Orders<z.output<typeof Death>> {
  return { death: death ? Death.parse(JSON.parse(death)) : undefined, settlesInMs: ms ? Number(ms) : undefined };
}

/** Maximum time in milliseconds that the first publication waits for others. */
const GATHER_MS = 500;

/** A scheduler dies only in some rounds with posts to hand out; otherwise the first platform would always be hit. */
const SCHEDULER_DIES = 0.4;

/** Kills its process with SIGKILL at one of the moments, with several publications at that moment. */
export class SuddenDeath {
  private standing = 0;
  private isStruck = false;

  constructor(private readonly death: z.output<typeof Death>) {}

  async at(moment: Moment, publicationIds: string[]): Promise<void> {
    if (moment !== this.death.moment || (publicationIds.length && Math.random() > SCHEDULER_DIES)) return;
    const subject = logContext.getStore()?.subject;
    const ids = publicationIds.length ? publicationIds : [String(subject)];
    const hit = ids.filter((id) => this.mark(id)).length;
    if (!hit) return;
    this.standing += hit;
    if (this.standing < this.death.together && !publicationIds.length) await sleep(GATHER_MS);
    if (moment === 'sent and not answered') await sleep(this.death.leavesInMs);
    if (!this.isStruck) process.kill(process.pid, this.death.signal);
    this.isStruck = true;
  }

  /** Returns false if the publication was hit before or enough were. */
  private mark(id: string): boolean {
    const { folder, most } = this.death;
    if (readdirSync(folder).length >= most) return false;
    try {
      closeSync(openSync(join(folder, id), 'wx'));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }
}
