import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { PRIORITIES, Priority, PublicationStatus } from './publication-status.js';
import type { PublicationChangeRow } from './publications.store.js';
import type { Publication } from './publications.table.js';
import { toWallClock } from './wall-clock.js';
import type { Waiting } from './why-it-waits.js';

const time = z.iso.datetime().nullable();

/** A publication as its user sees it. */
export const PublicationView = z.strictObject({
  id: Id,
  accountId: Id,
  platform: z.string(),
  /** The same for all that were made together. */
  groupId: z.string().nullable(),
  status: PublicationStatus,
  content: z.strictObject({
    text: z.string(),
    mediaUrls: z.array(z.string()),
    link: z.string().optional(),
    title: z.string().optional(),
  }),
  /** Rises with every change that somebody makes. */
  version: z.int(),
  priority: Priority,
  scheduledAt: z.iso.datetime(),
  /** What the clock shows in `timezone` at `scheduledAt`, also where another time was given that clocks skip; null without a zone. */
  localTime: z.string().nullable(),
  timezone: z.string().nullable(),
  /** Whether it has taken one of its account's slots. */
  slot: z.boolean(),
  expiresAt: time,
  attempts: z.int(),
  platformPostId: z.string().nullable(),
  platformUrl: z.string().nullable(),
  /** Why it is not out yet, and until when, as far as that can be known. */
  waitingFor: z.string().nullable(),
  waitsUntil: time,
  lastError: z.string().nullable(),
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

export function toPublicationView(
  publication: Publication,
  { waiting, history }: { waiting: Waiting; history: PublicationChangeRow[] },
): PublicationView {
  const { id, accountId, platform, groupId, status, content, version, attempts, lastError } = publication;
  const { timezone, platformPostId, platformUrl } = publication;
  // Earlier versions stored what was given, which need not exist.
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
    createdAt: publication.createdAt.toISOString(),
    publishedAt: spelled(publication.publishedAt),
    history: history.map(({ at, from, to, reason }) => ({ at: at.toISOString(), from, to, reason })),
  };
}

const spelled = (date: Date | null) => date?.toISOString() ?? null;
