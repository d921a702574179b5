import { z } from 'zod';
import type { Explanation } from '../fetching/schedule/explain-schedule.js';
import { Id } from '../platform/database/columns.js';
import { redactText } from '../platform/redact.js';
import { iconPath } from '../sources/site-icons.table.js';
import { SourceCondition } from '../sources/source-condition.js';
import { SourceState } from '../sources/source-state.js';
import type { SeenSource } from '../sources/source-views.store.js';

const time = z.iso.datetime().nullable();

export const SourceView = z.strictObject({
  id: Id,
  type: z.string(),
  externalId: z.string(),
  title: z.string().nullable(),
  siteUrl: z.string().nullable(),
  /** A path of this server that anybody may read; null while no icon is known. */
  iconUrl: z.string().nullable(),
  folder: z.string().nullable(),
  maxDelayMinutes: z.int().nullable(),
  /** Unread posts, with those of sources that have moved here. Null for a source that you do not follow. */
  unread: z.int().nullable(),
  followers: z.int(),
  activeFollowers: z.int(),
  /** 1 is most urgent; null while the source is not fetched. */
  priority: z.int().nullable(),
  intervalSeconds: z.int().nullable(),
  nextFetchAt: time,
  lastFetchAt: time,
  lastSuccessAt: time,
  lastError: z.string().nullable(),
  consecutiveFailures: z.int(),
  state: SourceState,
  /** The current condition. `state` is active until a source has failed for 7 days. */
  condition: SourceCondition,
  lastPostAt: time,
  createdAt: z.iso.datetime(),
  because: z.array(z.string()),
});

export function toSourceView(
  { source, state, follow, stateName, icon, condition }: SeenSource,
  { explained, unread }: { explained: Pick<Explanation, 'priority' | 'because'>; unread: number | undefined },
) {
  return {
    id: source.id,
    type: source.type,
    // An address may contain a password, which only followers know.
    externalId: follow ? source.externalId : redactText(source.externalId),
    title: follow?.title ?? source.title,
    siteUrl: source.siteUrl,
    iconUrl: iconPath(icon),
    folder: follow?.folder ?? null,
    maxDelayMinutes: follow?.maxDelayMinutes ?? null,
    unread: unread ?? null,
    followers: source.followers,
    activeFollowers: state.activeFollowers,
    priority: explained.priority,
    intervalSeconds: state.intervalSeconds,
    nextFetchAt: state.nextFetchAt,
    lastFetchAt: state.lastFetchAt,
    lastSuccessAt: state.lastSuccessAt,
    lastError: state.lastError,
    consecutiveFailures: state.failures,
    state: stateName,
    condition,
    lastPostAt: source.lastPostAt,
    createdAt: source.createdAt,
    because: explained.because,
  };
}
