import { Inject, Injectable } from '@nestjs/common';
import { eq } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.js';
import { isWaiting } from '../../platform/jobs/job-columns.js';
import { type FetchState, fetchStates } from '../../sources/fetch-states.table.js';
import type { IntervalRules } from '../intervals/interval.js';
import { INTERVAL_RULES } from '../intervals/interval-rules.js';
import { rescheduled, type Schedule } from '../schedule/next-fetch.js';

export type Reliance = Pick<FetchState, 'hasHub' | 'pushedUntil'>;

@Injectable()
export class PushedSources {
  constructor(@Inject(INTERVAL_RULES) private readonly rules: IntervalRules) {}

  async hold(db: Db, sourceId: string): Promise<FetchState | undefined> {
    const [state] = await db.select().from(fetchStates).where(eq(fetchStates.id, sourceId)).for('no key update');
    return state;
  }

  /** If the source's job is enqueued, the worker will set the schedule. */
  async rely(db: Db, sourceId: string, reliance: Reliance, now: Date): Promise<void> {
    const state = await this.hold(db, sourceId);
    if (!state || isSame(state, reliance)) return;
    const schedule = isWaiting(state) ? {} : this.schedule({ ...state, ...reliance }, now);
    await db
      .update(fetchStates)
      .set({ ...reliance, ...schedule })
      .where(eq(fetchStates.id, sourceId));
  }

  /** A hub does not push posts published before its lease began, so a poll that was planned earlier is kept. */
  private schedule(state: FetchState, now: Date): Schedule {
    const schedule = rescheduled(state, this.rules, now);
    const { pushedUntil, nextFetchAt: planned } = state;
    const isPutOff = planned && schedule.nextFetchAt && planned < schedule.nextFetchAt;
    return pushedUntil && isPutOff ? { ...schedule, nextFetchAt: planned } : schedule;
  }
}

const isSame = (one: Reliance, other: Reliance) =>
  one.hasHub === other.hasHub && one.pushedUntil?.getTime() === other.pushedUntil?.getTime();
