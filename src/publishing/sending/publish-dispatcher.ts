import { Injectable } from '@nestjs/common';
import { Jobs } from '../../platform/jobs/jobs.js';
import { Clock } from '../../platform/time/clock.js';
import { type PlatformCalls, PlatformSlotsStore } from '../limits/platform-slots.store.js';
import { QueueDepth } from '../limits/queue-depth.js';
import { platforms } from '../platforms.js';
import type { Publication } from '../publications/publications.table.js';
import { WAITS_FOR } from '../publications/why-it-waits.js';
import { PublishingHold } from '../restore/publishing-hold.js';
import { DuePublicationsStore } from './due-publications.store.js';
import { publishJobs } from './publish-jobs.js';
import { testHooks } from './test-hooks.js';

export const ROUND_INTERVAL_MS = 1_000;
/** The delay (ms) before the next round while calls in flight or a full queue may free capacity. */
const SOON_MS = 100;
/** How often (ms) a full queue is opened to users who have nothing in it, and so how long their posts wait for it. */
const OTHERS_INTERVAL_MS = 500;

@Injectable()
export class PublishDispatcher {
  private readonly othersAt = new Map<string, number>();
  private readonly depths = new Map(platforms.map(({ name }) => [name, new QueueDepth()]));

  constructor(
    private readonly due: DuePublicationsStore,
    private readonly slots: PlatformSlotsStore,
    private readonly jobs: Jobs,
    private readonly hold: PublishingHold,
    private readonly clock: Clock,
  ) {}

  /** Returns the delay in milliseconds until the next useful round, or undefined during a hold. */
  async handOut(): Promise<number | undefined> {
    if (await this.hold.isActive()) return undefined;
    await this.due.expire(this.clock.now());
    const { inMs, busy } = await this.due.next(this.clock.now(), ROUND_INTERVAL_MS);
    const waits = [inMs];
    for (const { name } of platforms) if (busy.has(name)) waits.push(await this.serve(name));
    return Math.min(...waits.filter((ms) => ms !== undefined));
  }

  /** Publications that are due later are left to the regular rounds. */
  isAnyDueSoon(publications: Publication[]): boolean {
    const soon = this.clock.now().getTime() + ROUND_INTERVAL_MS;
    return publications.some(({ scheduledAt }) => scheduledAt.getTime() <= soon);
  }

  async reconsider(...reasons: (keyof typeof WAITS_FOR)[]): Promise<void> {
    for (const reason of reasons) await this.due.reconsider(WAITS_FOR[reason]);
  }

  async forgetOldCalls(): Promise<void> {
    await this.slots.forget();
  }

  private async serve(platform: string): Promise<number | undefined> {
    const job = publishJobs.get(platform);
    if (!job) return undefined;
    await this.jobs.enqueueRows(job, await this.due.takeForReconciliation(platform, this.clock.now()));
    const queued = await this.due.queuedByUser(platform);
    const inQueue = [...queued.values()].reduce((sum, count) => sum + count, 0);
    const depth = this.depths.get(platform)?.depthFor(inQueue, performance.now()) ?? 0;
    // The query for the next publications is expensive, so it waits until several can be taken at once.
    const isFull = inQueue > depth / 2;
    if (isFull && !this.isTimeForOthers(platform)) return SOON_MS;
    const calls = await this.slots.calls(platform);
    const limit = Math.min(isFull ? inQueue + depth : depth, calls.platformCapacity.now) - inQueue;
    const { users, others } = remainingCapacity(calls, queued);
    const taken = await this.due.take({
      platform,
      now: this.clock.now(),
      limit,
      queued,
      capacityOfUsers: users,
      capacityOfOthers: others,
      notOf: isFull ? [...queued.keys()] : [],
    });
    const ids = taken.map(({ id }) => id);
    if (taken.length) await testHooks.reach('due and not claimed', ids);
    await this.jobs.enqueueRows(job, taken);
    this.depths.get(platform)?.handedOut(inQueue + taken.length, performance.now());
    if (isFull || inQueue + taken.length >= depth) return SOON_MS;
    // Publications that were just handed out do not occupy a slot yet.
    const waiting = taken.length ? await this.due.queuedByUser(platform) : queued;
    for (const [userId, count] of waiting) calls.add(userId, count);
    return calls.nextCapacityInMs() ?? (taken.length >= limit ? SOON_MS : undefined);
  }

  private isTimeForOthers(platform: string): boolean {
    const now = performance.now();
    if (now - (this.othersAt.get(platform) ?? 0) < OTHERS_INTERVAL_MS) return false;
    this.othersAt.set(platform, now);
    return true;
  }
}

const ANY_NUMBER = 2_147_483_647;

export function remainingCapacity(calls: PlatformCalls, queued: Map<string, number>) {
  const known = new Set([...calls.users, ...queued.keys()]);
  const capacityOf = (userId: string) =>
    Math.min(ANY_NUMBER, calls.capacityOfUser(userId).now) - (queued.get(userId) ?? 0);
  return {
    users: new Map([...known].map((userId) => [userId, Math.max(0, capacityOf(userId))])),
    others: Math.min(ANY_NUMBER, calls.capacityOfUser('').now),
  };
}
