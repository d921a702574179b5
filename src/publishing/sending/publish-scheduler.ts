import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { Events } from '../../platform/events/events.js';
import { hostLimitsChanged } from '../../platform/hosts/host-limits.store.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { Periodic } from '../../platform/time/periodic.js';
import type { Publication } from '../publications/publications.table.js';
import { PublishDispatcher, ROUND_INTERVAL_MS } from './publish-dispatcher.js';

const FORGET_INTERVAL_MS = 3_600_000;

/** Any number of processes may run the scheduler. */
@Injectable()
export class PublishScheduler implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly dispatcher: PublishDispatcher,
    private readonly periodic: Periodic,
    private readonly events: Events,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async onApplicationBootstrap() {
    if (this.config.roles.has('scheduler')) await this.reconsider();
    this.periodic.every(ROUND_INTERVAL_MS, 'publish scheduler', () => this.run());
    this.periodic.every(FORGET_INTERVAL_MS, 'forget old calls to platforms', () => this.dispatcher.forgetOldCalls());
  }

  /** Waiting times may come from limits of an earlier configuration. Host limits can change at any time. */
  private async reconsider(): Promise<void> {
    await this.dispatcher.reconsider('capacity', 'host');
    this.events.subscribe(hostLimitsChanged, () => {
      this.dispatcher
        .reconsider('host')
        .catch((err) => this.log.warn({ event: 'reconsider_failed', err }, 'Publications wait for a host as before'));
    });
  }

  async onModuleDestroy() {
    clearTimeout(this.timer);
    await this.running;
  }

  /** Callers do not wait, and the next round makes up for a failure. */
  handOutSoon(stored: Publication[]): void {
    if (!this.dispatcher.isAnyDueSoon(stored)) return;
    this.run().catch((err) =>
      this.log.warn(
        { event: 'dispatch_failed', err },
        'Could not hand out publications, leaving them to the scheduler',
      ),
    );
  }

  /** A call during a round causes another round after it. */
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
      const nextInMs = await this.dispatcher.handOut();
      if (nextInMs === undefined) return;
      this.wakeIn(nextInMs);
    } while (this.again);
  }

  private wakeIn(ms: number): void {
    clearTimeout(this.timer);
    if (ms >= ROUND_INTERVAL_MS || !this.config.roles.has('scheduler')) return;
    this.timer = setTimeout(() => {
      this.run().catch((err) =>
        this.log.error({ event: 'publish_round_failed', err }, 'Could not hand out publications'),
      );
    }, ms).unref();
  }
}
