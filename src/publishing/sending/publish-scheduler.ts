import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.js';
import { Events } from '../../platform/events/events.js';
import { hostLimitsChanged } from '../../platform/hosts/hosts-changed.event.js';
import type { Log } from '../../platform/log/log.js';
import { LOG } from '../../platform/log/log.js';
import { Jobs } from '../../platform/queue/jobs.js';
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
import { KillPoints } from './kill-points.js';
import { publishJobs } from './publish-jobs.js';
import { PublishMetrics } from './publish-metrics.js';

const INTERVAL_MS = 1_000;
const FORGET_INTERVAL_MS = 3_600_000;
/** Room that calls under way may leave, and room in a full queue, is looked for again this soon. */
const SOON_MS = 100;
/** How often a full queue is offered to users who have nothing in it (ms): what their posts may wait for it. */
const OTHERS_INTERVAL_MS = 500;

/**
 * Hands publications to workers when their time has come and there is room within the limits. It looks every second, and
 * at the very moment at which something becomes due or room becomes free. Any number of processes may do it.
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
    private readonly killPoints: KillPoints,
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
   * Limits come from the configuration, so they may have changed since the processes before this one stored how long to wait.
   * Limits of hosts can change at any time.
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

  /** One round at a time; who asks during one gets another after it. */
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
      this.run().catch((err) => this.log.error({ err }, 'publications could not be handed out'));
    }, ms).unref();
  }

  /** Returns when there may be room again for something that waits for it. */
  private async serve(platform: Platform): Promise<number | undefined> {
    const { name } = platform;
    const job = publishJobs.get(name);
    if (!job) return undefined;
    await this.jobs.enqueueRows(job, await this.due.takeForLook(name, this.clock.now()));
    const queued = await this.due.queuedByUser(name);
    const inQueue = [...queued.values()].reduce((sum, count) => sum + count, 0);
    const depth = this.depths.get(name)?.wanted(inQueue, performance.now()) ?? 0;
    // Finding out which ones are next is expensive, so it is not done for one at a time.
    const isFull = inQueue > depth / 2;
    if (isFull && !this.isTimeForOthers(name)) return SOON_MS;
    const calls = await this.slots.calls(name, limitsOf(platform, this.config));
    const wanted = { platform: name, now: this.clock.now(), queued, ...roomOfUsers(calls, queued) };
    const limit = Math.min(isFull ? inQueue + depth : depth, calls.roomOfPlatform.now) - inQueue;
    const taken = await this.due.take({ ...wanted, limit, notOf: isFull ? [...queued.keys()] : [] });
    const ids = taken.map(({ id }) => id);
    if (taken.length) await this.killPoints.reach('due and not claimed', ids);
    await this.jobs.enqueueRows(job, taken);
    this.depths.get(name)?.handedOut(inQueue + taken.length, performance.now());
    if (inQueue + taken.length >= depth) return SOON_MS;
    // What is handed out has not taken its room yet.
    for (const [userId, count] of taken.length ? await this.due.queuedByUser(name) : queued) calls.add(userId, count);
    return calls.nextRoomInMs() ?? (taken.length >= limit ? SOON_MS : undefined);
  }

  /** A queue that is full of some users' posts is open to others once in a while. */
  private isTimeForOthers(platform: string): boolean {
    const now = performance.now();
    if (now - (this.othersAt.get(platform) ?? 0) < OTHERS_INTERVAL_MS) return false;
    this.othersAt.set(platform, now);
    return true;
  }
}

const ANY_NUMBER = 2_147_483_647;

/** How many more posts each user may send, besides those that are queued. */
export function roomOfUsers(calls: PlatformCalls, queued: Map<string, number>) {
  const users = new Set([...calls.users, ...queued.keys()]);
  const roomOf = (userId: string) => Math.min(ANY_NUMBER, calls.roomOfUser(userId).now) - (queued.get(userId) ?? 0);
  return {
    roomOfUsers: new Map([...users].map((userId) => [userId, Math.max(0, roomOf(userId))])),
    roomOfOthers: Math.min(ANY_NUMBER, calls.roomOfUser('').now),
  };
}
