import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { Events } from '../../platform/events/events.js';
import { hostLimitsChanged } from '../../platform/hosts/hosts-changed.event.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { Clock } from '../../platform/time/clock.js';
import { Periodic } from '../../platform/time/periodic.js';
import { limitsOf } from '../limits/limits.js';
import { type PlatformCalls, PlatformSlotsStore } from '../limits/platform-slots.store.js';
import { QueueDepth } from '../limits/queue-depth.js';
import type { Platform } from '../platform.js';
import { platforms } from '../platforms.js';
import { WAITS_FOR } from '../publications/why-it-waits.js';
import { PublishingHold } from '../restore/publishing-hold.js';
import { DuePublicationsStore } from './due-publications.store.js';
import { publishJobs } from './publish-jobs.js';
import { PublishMetrics } from './publish-metrics.js';
import { testHooks } from './test-hooks.js';

const INTERVAL_MS = 1_000;
const FORGET_INTERVAL_MS = 3_600_000;
/** The delay (ms) before the next round while calls in flight or a full queue may free capacity. */
const SOON_MS = 100;
/**
 * How often (ms) a full queue is opened to users who have nothing in it, which is how long their posts may wait for
 * it.
 */
const OTHERS_INTERVAL_MS = 500;

/**
 * Hands due publications to workers while the limits leave capacity. A round runs every second, and at the moment at
 * which a publication becomes due or capacity becomes free. Any number of processes may run it.
 */
@Injectable()
export class PublishScheduler implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private readonly othersAt = new Map<string, number>();
  private readonly depths = new Map(platforms.map(({ name }) => [name, new QueueDepth()]));

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly due: DuePublicationsStore,
    private readonly slots: PlatformSlotsStore,
    private readonly jobs: Jobs,
    private readonly periodic: Periodic,
    private readonly clock: Clock,
    @Inject(LOG) private readonly log: Log,
    private readonly metrics: PublishMetrics,
    private readonly events: Events,
    private readonly hold: PublishingHold,
  ) {}

  async onApplicationBootstrap() {
    if (this.config.roles.has('scheduler')) await this.reconsider();
    this.periodic.every(INTERVAL_MS, 'publish scheduler', () => this.run());
    const limits = platforms.map((platform) => limitsOf(platform, this.config));
    this.periodic.every(FORGET_INTERVAL_MS, 'room of old posts', () => this.slots.forget(limits));
  }

  /**
   * Stored waiting times may come from limits of an earlier configuration, so they are reconsidered at the start.
   * Host limits can change at any time.
   */
  private async reconsider(): Promise<void> {
    for (const reason of [WAITS_FOR.capacity, WAITS_FOR.host]) await this.due.reconsider(reason);
    this.events.subscribe(hostLimitsChanged, () => {
      this.due
        .reconsider(WAITS_FOR.host)
        .catch((err) => this.log.warn({ event: 'reconsider_failed', err }, 'Publications wait for a host as before'));
    });
  }

  async onModuleDestroy() {
    clearTimeout(this.timer);
    await this.running;
  }

  /** Runs one round at a time. A call during a round causes another round after it. */
  async run(): Promise<void> {
    if (this.running) {
      this.again = true;
      return this.running;
    }
    this.running = this.rounds().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async rounds(): Promise<void> {
    do {
      this.again = false;
      if (await this.hold.isActive()) return;
      const expired = await this.due.expire(this.clock.now(), this.config.publishGraceMs);
      for (const publication of expired) this.metrics.ended(publication, 'expired');
      const { inMs, busy } = await this.due.next(this.clock.now(), INTERVAL_MS);
      const waits = [inMs];
      for (const platform of platforms) if (busy.has(platform.name)) waits.push(await this.serve(platform));
      this.wakeIn(Math.min(...waits.filter((ms) => ms !== undefined)));
    } while (this.again);
  }

  private wakeIn(ms: number): void {
    clearTimeout(this.timer);
    if (ms >= INTERVAL_MS || !this.config.roles.has('scheduler')) return;
    this.timer = setTimeout(() => {
      this.run().catch((err) =>
        this.log.error({ event: 'publish_round_failed', err }, 'Could not hand out publications'),
      );
    }, ms).unref();
  }

  /** Returns when capacity may become free for publications that wait for it. */
  private async serve(platform: Platform): Promise<number | undefined> {
    const { name } = platform;
    const job = publishJobs.get(name);
    if (!job) return undefined;
    await this.jobs.enqueueRows(job, await this.due.takeForReconciliation(name, this.clock.now()));
    const queued = await this.due.queuedByUser(name);
    const inQueue = [...queued.values()].reduce((sum, count) => sum + count, 0);
    const depth = this.depths.get(name)?.wanted(inQueue, performance.now()) ?? 0;
    // The query for the next publications is expensive, so it waits until several can be taken at once.
    const isFull = inQueue > depth / 2;
    if (isFull && !this.isTimeForOthers(name)) return SOON_MS;
    const calls = await this.slots.calls(name, limitsOf(platform, this.config));
    const wanted = { platform: name, now: this.clock.now(), queued, ...capacityOfUsers(calls, queued) };
    const limit = Math.min(isFull ? inQueue + depth : depth, calls.platformCapacity.now) - inQueue;
    const taken = await this.due.take({ ...wanted, limit, notOf: isFull ? [...queued.keys()] : [] });
    const ids = taken.map(({ id }) => id);
    if (taken.length) await testHooks.reach('due and not claimed', ids);
    await this.jobs.enqueueRows(job, taken);
    this.depths.get(name)?.handedOut(inQueue + taken.length, performance.now());
    if (inQueue + taken.length >= depth) return SOON_MS;
    // Publications that were just handed out do not occupy a slot yet.
    for (const [userId, count] of taken.length ? await this.due.queuedByUser(name) : queued) calls.add(userId, count);
    return calls.nextCapacityInMs() ?? (taken.length >= limit ? SOON_MS : undefined);
  }

  /** Opens a queue that is full of some users' posts to other users at intervals. */
  private isTimeForOthers(platform: string): boolean {
    const now = performance.now();
    if (now - (this.othersAt.get(platform) ?? 0) < OTHERS_INTERVAL_MS) return false;
    this.othersAt.set(platform, now);
    return true;
  }
}

const ANY_NUMBER = 2_147_483_647;

/** Returns how many more posts each user may send, besides those in the queue. */
export function capacityOfUsers(calls: PlatformCalls, queued: Map<string, number>) {
  const users = new Set([...calls.users, ...queued.keys()]);
  const capacityOf = (userId: string) =>
    Math.min(ANY_NUMBER, calls.capacityOfUser(userId).now) - (queued.get(userId) ?? 0);
  return {
    capacityOfUsers: new Map([...users].map((userId) => [userId, Math.max(0, capacityOf(userId))])),
    capacityOfOthers: Math.min(ANY_NUMBER, calls.capacityOfUser('').now),
  };
}
