import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { Clock } from '../../platform/time/clock.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { type Limits, limitsOf } from '../limits/limits.js';
import { PlatformCalls, PlatformSlotsStore } from '../limits/platform-slots.store.js';
import { findPlatform } from '../platforms.js';
import { type PublicationView, toPublicationView } from './publication-view.js';
import { PublicationsStore } from './publications.store.js';
import type { Publication } from './publications.table.js';
import { whyItWaits } from './why-it-waits.js';

const OPEN = { closedUntil: null, closedBecause: null };

/** Builds views of publications with their history and the reason why they wait. */
@Injectable()
export class PublicationViews {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly store: PublicationsStore,
    private readonly accounts: AccountsStore,
    private readonly slots: PlatformSlotsStore,
    private readonly clock: Clock,
  ) {}

  async one(publication: Publication): Promise<PublicationView> {
    const [view] = await this.all([publication]);
    if (!view) throw new Error('a publication was not shown');
    return view;
  }

  async all(publications: Publication[]): Promise<PublicationView[]> {
    const now = this.clock.now();
    const [histories, accounts, platformLoads] = await Promise.all([
      this.store.histories(publications.map(({ id }) => id)),
      this.accounts.ofPublications([...new Set(publications.map(({ accountId }) => accountId))]),
      this.platformLoads(publications.filter(({ status }) => status === 'scheduled').map(({ platform }) => platform)),
    ]);
    return publications.map((publication) => {
      const account = accounts.get(publication.accountId) ?? OPEN;
      const load = platformLoads.get(publication.platform) ?? NO_LIMITS;
      const waiting = whyItWaits(publication, { account, ...load, now });
      return toPublicationView(publication, { waiting, history: histories.get(publication.id) ?? [] });
    });
  }

  private async platformLoads(names: string[]): Promise<Map<string, PlatformLoad>> {
    const asked = [...new Set(names)].map(async (name): Promise<[string, PlatformLoad]> => {
      const platform = findPlatform(name);
      const limits = platform ? limitsOf(platform, this.config) : UNLIMITED;
      return [name, { limits, calls: await this.slots.calls(name, limits) }];
    });
    return new Map(await Promise.all(asked));
  }
}

interface PlatformLoad {
  limits: Limits;
  calls: PlatformCalls;
}

const UNLIMITED: Limits = { platform: undefined, user: undefined };
const NO_LIMITS: PlatformLoad = { limits: UNLIMITED, calls: new PlatformCalls(UNLIMITED, new Map()) };
