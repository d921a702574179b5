import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { Events } from '../events/events.js';
import { Periodic } from '../time/periodic.js';
import { CachedSnapshot } from './cached-snapshot.js';
import { HostLimitsStore, hostLimitsChanged } from './host-limits.store.js';
import type { HostLimit } from './host-limits.table.js';
import { limitedHostOf } from './host-of.js';

const MAX_LISTENING_AGE_MS = 30_000;
const MAX_UNNOTIFIED_AGE_MS = 1_000;
const FORGET_INTERVAL_MS = 3_600_000;

@Injectable()
export class HostLimits implements OnApplicationBootstrap {
  private readonly snapshot: CachedSnapshot<ReadonlyMap<string, HostLimit>>;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'hostLimits' | 'roles'>,
    private readonly store: HostLimitsStore,
    private readonly periodic: Periodic,
    events: Events,
  ) {
    const read = async () => new Map((await store.all()).map((limit) => [limit.host, limit]));
    this.snapshot = new CachedSnapshot(read, () => (events.listening ? MAX_LISTENING_AGE_MS : MAX_UNNOTIFIED_AGE_MS));
    events.subscribe(hostLimitsChanged, () => this.snapshot.invalidate());
    events.onReconnect(() => this.snapshot.invalidate());
  }

  async onApplicationBootstrap() {
    const { hostLimits, roles } = this.config;
    await this.store.adopt(hostLimits);
    // A process without the scheduler role may lack the variable.
    if (roles.has('scheduler')) await this.store.dropUnnamed(hostLimits);
    this.periodic.every(FORGET_INTERVAL_MS, 'forget old limits of hosts', () => this.store.forgetOld());
  }

  hostOf(url: URL): string {
    return limitedHostOf(url, this.config.hostLimits);
  }

  async find(host: string): Promise<HostLimit | undefined> {
    return (await this.snapshot.current()).get(host);
  }

  /** Call this after a change by this process, which need not wait for the notification. */
  invalidate(): void {
    this.snapshot.invalidate();
  }
}
