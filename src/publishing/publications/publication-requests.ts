import { z } from 'zod';
import { Id, Text } from '../../platform/database/columns.js';
import { Priority } from './publication-status.js';
import { WallClock, Zone } from './wall-clock.js';

export const MAX_ACCOUNTS = 50;
const MAX_FILES = 50;
const MAX_TEXT_LENGTH = 100_000;

const Address = Text.max(4_000).pipe(z.url({ protocol: /^https?$/, error: 'an http or https address' }));

/** Upper limits for all platforms; each platform has narrower ones. */
const RequestedContent = z.strictObject({
  text: Text.max(MAX_TEXT_LENGTH).default(''),
  mediaUrls: z.array(Address).max(MAX_FILES).default([]),
  link: Address.optional(),
  title: Text.max(1_000).optional(),
});

const Instant = z.iso.datetime({ offset: true, error: 'a time with an offset, such as 2026-03-29T09:30:00+02:00' });

const times = {
  scheduledAt: Instant.optional(),
  localTime: WallClock.optional(),
  /** With `localTime`, the zone of that time. With `scheduledAt`, the zone for display. */
  timezone: Zone.optional(),
  slot: z.literal('next').optional(),
};

/** Without any field the publication is due now. */
export interface RequestedTime {
  scheduledAt?: string | undefined;
  localTime?: string | undefined;
  timezone?: string | undefined;
  slot?: 'next' | undefined;
}

const checkMedia = z.boolean().default(true);

export const NewPublication = z
  .strictObject({
    accountId: Id.optional(),
    accountIds: z.array(Id).min(1).max(MAX_ACCOUNTS).optional(),
    content: RequestedContent,
    ...times,
    priority: Priority.default('normal'),
    expiresAt: Instant.optional(),
    checkMedia,
  })
  .superRefine(({ accountId, accountIds, ...time }, context) => {
    if ((accountId === undefined) === (accountIds === undefined)) {
      context.addIssue({ code: 'custom', path: ['accountId'], message: 'give accountId or accountIds' });
    }
    for (const [at, id] of (accountIds ?? []).entries()) {
      const isRepeated = accountIds?.indexOf(id) !== at;
      if (isRepeated) context.addIssue({ code: 'custom', path: ['accountIds', at], message: 'is named before' });
    }
    refuseContradiction(time, context);
  });
export type NewPublication = z.infer<typeof NewPublication>;

export const PublicationChange = z
  .strictObject({
    content: RequestedContent.optional(),
    ...times,
    priority: Priority.optional(),
    expiresAt: Instant.nullable().optional(),
    checkMedia,
  })
  .superRefine(({ content, priority, expiresAt, checkMedia: _, ...time }, context) => {
    const given = [content, priority, expiresAt, ...Object.values(time)];
    if (given.every((value) => value === undefined)) {
      context.addIssue({
        code: 'custom',
        message: 'there is nothing to change: give content, a time, priority or expiresAt',
      });
    }
    if (time.timezone !== undefined && !hasTime(time)) {
      context.addIssue({ code: 'custom', path: ['timezone'], message: 'goes with localTime or scheduledAt' });
    }
    refuseContradiction(time, context);
  });
export type PublicationChange = z.infer<typeof PublicationChange>;

export const hasTime = ({ scheduledAt, localTime, slot }: RequestedTime) =>
  scheduledAt !== undefined || localTime !== undefined || slot !== undefined;

function refuseContradiction(
  { scheduledAt, localTime, timezone, slot }: RequestedTime,
  context: z.RefinementCtx,
): void {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  const ways = [scheduledAt, localTime, slot].filter((way) => way !== undefined).length;
  if (ways > 1) refuse('scheduledAt', 'give only one of scheduledAt, localTime and slot');
  if (localTime !== undefined && timezone === undefined) refuse('timezone', 'is needed with localTime');
}

export const Resolution = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('published'),
    platformPostId: Text.min(1).max(1_000).optional(),
    platformUrl: Address.optional(),
  }),
  z.strictObject({
    outcome: z.literal('not_published'),
    retry: z.boolean(),
  }),
]);
export type Resolution = z.infer<typeof Resolution>;
