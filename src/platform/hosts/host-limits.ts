import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Config } from '../config.js';
import { CONFIG } from '../config.js';
import { Events } from '../events/events.js';
import { Periodic } from '../time/periodic.js';
import { CachedSnapshot } from './cached-snapshot.js';
import { HostLimitsStore } from './host-limits.store.js';
import type { HostLimit } from './host-limits.table.js';
import { limitedHostOf } from './host-of.js';
import { hostLimitsChanged } from './hosts-changed.event.js';

/** Who hears of changes looks by himself this often all the same; who hears of none, this often. */
const HEARING_AGE_MS = 30_000;
const DEAF_AGE_MS = 1_000;
const FORGET_INTERVAL_MS = 3_600_000;

/** Which hosts have a limit. Asking costs nothing, as a rule; of almost all hosts the answer is none. */
@Injectable()
export class HostLimits implements OnApplicationBootstrap {
  private readonly picture: CachedSnapshot<ReadonlyMap<string, HostLimit>>;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'hostLimits' | 'roles'>,
    private readonly store: HostLimitsStore,
    private readonly periodic: Periodic,
    events: Events,
  ) {
    const read = async () => new Map((await store.all()).map((limit) => [limit.host, limit]));
    this.picture = new CachedSnapshot(read, () => (events.listening ? HEARING_AGE_MS : DEAF_AGE_MS));
    events.subscribe(hostLimitsChanged, () => this.picture.outdate());
    events.onReconnect(() => this.picture.outdate());
  }

  async onApplicationBootstrap() {
    const { hostLimits, roles } = this.config;
    await this.store.adopt(hostLimits);
    // A process that was started without them is not to take those of the others away.
    if (roles.has('scheduler')) await this.store.dropUnnamed(hostLimits);
    this.periodic.every(FORGET_INTERVAL_MS, 'forget old limits of hosts', () => this.store.forgetOld());
  }

  hostOf(url: URL): string {
    return limitedHostOf(url, this.config.hostLimits);
  }

  /** As of a moment ago: its limit holds, its counts and turns may be older. */
  async find(host: string): Promise<HostLimit | undefined> {
    return (await this.picture.current()).get(host);
  }

  /** After a change of this process's own, which need not wait to be told. */
  outdate(): void {
    this.picture.outdate();
  }
}
