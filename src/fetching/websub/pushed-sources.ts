import { Inject, Injectable } from '@nestjs/common';
import { eq } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.js';
import { type FetchState, fetchStates } from '../../sources/fetch-states.table.js';
import type { IntervalRules } from '../intervals/interval.js';
import { INTERVAL_RULES } from '../intervals/interval-rules.js';
import { learnedRhythm } from '../schedule/learned-rhythm.js';
import { rescheduled, type Schedule } from '../schedule/next-fetch.js';

/** What is known of a source's hub, as far as it matters to who polls the source. */
export type Reliance = Pick<FetchState, 'hasHub' | 'pushedUntil'>;

/** What pushes mean for when a source is polled. */
@Injectable()
export class PushedSources {
  constructor(@Inject(INTERVAL_RULES) private readonly rules: IntervalRules) {}

  async hold(db: Db, sourceId: string): Promise<FetchState | undefined> {
    const [state] = await db.select().from(fetchStates).where(eq(fetchStates.id, sourceId)).for('no key update');
    return state;
  }

  /** Polls for safety only until then, or as usual again. A worker that has the source just now decides about its next time itself. */
  async rely(db: Db, sourceId: string, reliance: Reliance, now: Date): Promise<void> {
    const state = await this.hold(db, sourceId);
    if (!state || isSame(state, reliance)) return;
    const schedule = state.jobState === 'waiting' ? {} : this.schedule({ ...state, ...reliance }, now);
    await db
      .update(fetchStates)
      .set({ ...reliance, ...schedule })
      .where(eq(fetchStates.id, sourceId));
  }

  /** A hub does not push what came before it promised to: a poll that was planned sooner finds it. */
  private schedule(state: FetchState, now: Date): Schedule {
    const schedule = rescheduled(state, this.rules, now);
    const { pushedUntil, nextFetchAt: planned } = state;
    const isPutOff = planned && schedule.nextFetchAt && planned < schedule.nextFetchAt;
    return pushedUntil && isPutOff ? { ...schedule, nextFetchAt: planned } : schedule;
  }

  /** What was pushed tells when the source posts, as what was fetched does. Nothing is learned before the first fetch. */
  async learn(db: Db, state: FetchState, { published, now }: { published: Date[]; now: Date }): Promise<void> {
    if (!state.rhythm || !published.length) return;
    await db.update(fetchStates).set(learnedRhythm(state, { published, now })).where(eq(fetchStates.id, state.id));
  }
}

const isSame = (one: Reliance, other: Reliance) =>
  one.hasHub === other.hasHub && one.pushedUntil?.getTime() === other.pushedUntil?.getTime();
