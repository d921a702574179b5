import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { Clock } from '../../platform/time/clock.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { PlatformCalls, PlatformSlotsStore, UNLIMITED } from '../limits/platform-slots.store.js';
import { PRIORITIES, Priority, PublicationStatus } from './publication-status.js';
import { type PublicationChangeRow, PublicationsStore } from './publications.store.js';
import type { Publication } from './publications.table.js';
import { toWallClock } from './wall-clock.js';
import { type Waiting, whyItWaits } from './why-it-waits.js';

const time = z.iso.datetime().nullable();

export const PublicationView = z.strictObject({
  id: Id,
  accountId: Id,
  platform: z.string(),
  groupId: z.string().nullable(),
  status: PublicationStatus,
  content: z.strictObject({
    text: z.string(),
    mediaUrls: z.array(z.string()),
    link: z.string().optional(),
    title: z.string().optional(),
  }),
  version: z.int(),
  priority: Priority,
  scheduledAt: z.iso.datetime(),
  /** The local time at `scheduledAt`, also if the request gave a time that clocks skip. Null without a zone. */
  localTime: z.string().nullable(),
  timezone: z.string().nullable(),
  slot: z.boolean(),
  expiresAt: time,
  attempts: z.int(),
  platformPostId: z.string().nullable(),
  platformUrl: z.string().nullable(),
  waitingFor: z.string().nullable(),
  waitsUntil: time,
  lastError: z.string().nullable(),
  /** Host name and process id of the process that made the last call to the platform. Null before the first. */
  processedBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  publishedAt: time,
  history: z.array(
    z.strictObject({
      at: z.iso.datetime(),
      from: PublicationStatus.nullable(),
      to: PublicationStatus,
      reason: z.string(),
    }),
  ),
});
export type PublicationView = z.infer<typeof PublicationView>;

const OPEN = { closedUntil: null, closedBecause: null };

@Injectable()
export class PublicationViews {
  constructor(
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
    const [histories, accounts, calls] = await Promise.all([
      this.store.histories(publications.map(({ id }) => id)),
      this.accounts.ofPublications([...new Set(publications.map(({ accountId }) => accountId))]),
      this.callsByPlatform(publications.filter(({ status }) => status === 'scheduled').map(({ platform }) => platform)),
    ]);
    return publications.map((publication) => {
      const account = accounts.get(publication.accountId) ?? OPEN;
      const platformCalls = calls.get(publication.platform) ?? NO_CALLS;
      const waiting = whyItWaits(publication, { account, calls: platformCalls, now });
      return toPublicationView(publication, { waiting, history: histories.get(publication.id) ?? [] });
    });
  }

  private async callsByPlatform(names: string[]): Promise<Map<string, PlatformCalls>> {
    const calls = [...new Set(names)].map(async (name) => [name, await this.slots.calls(name)] as const);
    return new Map(await Promise.all(calls));
  }
}

const NO_CALLS = new PlatformCalls(UNLIMITED, new Map());

function toPublicationView(
  publication: Publication,
  { waiting, history }: { waiting: Waiting; history: PublicationChangeRow[] },
): PublicationView {
  const { id, accountId, platform, groupId, status, content, version, attempts, lastError } = publication;
  const { timezone, platformPostId, platformUrl, processedBy } = publication;
  // Earlier versions stored the requested local time, which may not exist.
  const localTime = timezone && toWallClock(publication.scheduledAt, timezone);
  return {
    id,
    accountId,
    platform,
    groupId,
    status,
    content,
    version,
    priority: PRIORITIES[publication.priority] ?? 'normal',
    scheduledAt: publication.scheduledAt.toISOString(),
    localTime,
    timezone,
    slot: publication.slotAt !== null,
    expiresAt: spelled(publication.expiresAt),
    attempts,
    platformPostId,
    platformUrl,
    waitingFor: waiting.waitingFor,
    waitsUntil: spelled(waiting.waitsUntil),
    lastError,
    processedBy,
    createdAt: publication.createdAt.toISOString(),
    publishedAt: spelled(publication.publishedAt),
    history: history.map(({ at, from, to, reason }) => ({ at: at.toISOString(), from, to, reason })),
  };
}

const spelled = (date: Date | null) => date?.toISOString() ?? null;
