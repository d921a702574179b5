import { z } from 'zod';
import { pageOf } from '../../platform/api/list-query.js';
import { Id, Text } from '../../platform/database/columns.js';
import type { deadLetters } from '../../platform/jobs/dead-letters/dead-letters.table.js';
import { redactValue } from '../../platform/redact.js';

export const DeadLetterState = z.enum(['open', 'replayed', 'discarded']);

export const DeadLetter = z.strictObject({
  id: Id,
  queue: z.string(),
  jobName: z.string(),
  payload: z.unknown(),
  reason: z.string(),
  attempts: z.int(),
  firstFailedAt: z.iso.datetime(),
  lastFailedAt: z.iso.datetime(),
  history: z.array(z.strictObject({ at: z.string(), reason: z.string() })),
  state: DeadLetterState,
  closedAt: z.iso.datetime().nullable(),
  links: z.strictObject({ self: z.string(), replayOf: z.string().nullable() }),
});
export type DeadLetter = z.infer<typeof DeadLetter>;
export const DeadLetterPage = pageOf(DeadLetter);

/** A letter must match every given field. */
export const deadLetterFilter = {
  queue: Text.min(1).optional(),
  jobName: Text.min(1).optional(),
  /** A case-insensitive part of the reason. */
  reason: Text.min(1).optional(),
  failedAfter: z.iso.datetime().optional(),
  failedBefore: z.iso.datetime().optional(),
};
export const DeadLetterFilter = z.strictObject(deadLetterFilter);
export type DeadLetterFilter = z.infer<typeof DeadLetterFilter>;

/** An empty list of ids is refused, because it would select all letters. */
export const LettersToClose = z
  .strictObject({ ...deadLetterFilter, ids: z.array(Id).min(1).max(500).optional() })
  .refine(({ ids, ...filter }) => !ids || Object.values(filter).every((value) => value === undefined), {
    path: ['ids'],
    error: 'cannot be given together with a filter',
  });
export type LettersToClose = z.infer<typeof LettersToClose>;

const link = (id: string) => `/api/v1/dead-letters/${id}`;

export function toDeadLetter(row: typeof deadLetters.$inferSelect): DeadLetter {
  const { id, queue, jobName, payload, reason, attempts, history, state } = row;
  return {
    id,
    queue,
    jobName,
    payload: redactValue(payload),
    reason,
    attempts,
    history,
    state,
    firstFailedAt: row.firstFailedAt.toISOString(),
    lastFailedAt: row.lastFailedAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    links: { self: link(id), replayOf: row.replayOf && link(row.replayOf) },
  };
}
