import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../platform/database/database.js';
import { alertOf, defineAlert, type FeatureHealth, type FoundAlert } from '../platform/health/alert-catalogue.js';
import { jobIs, jobIsNot } from '../platform/jobs/job-columns.js';
import { accounts } from './accounts/accounts.table.js';
import { publicationChanges, publications } from './publications/publications.table.js';
import { publishingHolds } from './restore/publishing-holds.table.js';

const HOUR_MS = 3_600_000;

export const PublishingStats = z.strictObject({
  due: z.int(),
  oldestDueSeconds: z.int().nullable(),
  publishedLastHour: z.int(),
  failedLastHour: z.int(),
  /** The share from 0 to 1 of those that ended in the last hour. Null if there were none. */
  successRate: z.number().nullable(),
});
type PublishingStats = z.infer<typeof PublishingStats>;

type Row = PublishingStats & { broken: number; unknown: number; held: string | null };

export async function publishingHealth(db: Db, now: Date): Promise<FeatureHealth<PublishingStats>> {
  const at = now.toISOString();
  const { rows } = await db.execute<Row>(sql`
      WITH lately AS (
        SELECT "to" FROM ${publicationChanges} WHERE at >= ${new Date(now.getTime() - HOUR_MS).toISOString()}::timestamptz
      )
      SELECT
        due, oldest AS "oldestDueSeconds",
        (SELECT count(*)::int FROM lately WHERE "to" = 'published') AS "publishedLastHour",
        (SELECT count(*)::int FROM lately WHERE "to" = 'failed') AS "failedLastHour",
        (SELECT count(*) FILTER (WHERE "to" = 'published')::float8 / nullif(count(*), 0) FROM lately
          WHERE "to" IN ('published', 'failed', 'expired', 'unknown')) AS "successRate",
        (SELECT count(*)::int FROM ${accounts} WHERE status = 'broken' AND removed_at IS NULL) AS broken,
        (SELECT count(*)::int FROM ${publications} WHERE status = 'unknown') AS unknown,
        (SELECT reason FROM ${publishingHolds} WHERE released_at IS NULL) AS held
      FROM (
        SELECT count(*)::int AS due, extract(epoch FROM ${at}::timestamptz - min(least(scheduled_at, ${at}::timestamptz)))::int AS oldest
        FROM ${publications} WHERE (status = 'scheduled' AND ${jobIsNot('waiting')} AND scheduled_at <= ${at}::timestamptz)
          OR (status = 'queued' AND ${jobIs('waiting')})
      ) AS waiting`);
  const { broken, unknown, held, ...stats } = rows[0] ?? NOTHING;
  return { stats, alerts: [...aboutHold(held), ...aboutAccounts(broken), ...aboutUnknown(unknown)] };
}

const NOTHING: Row = {
  due: 0,
  oldestDueSeconds: null,
  publishedLastHour: 0,
  failedLastHour: 0,
  successRate: null,
  broken: 0,
  unknown: 0,
  held: null,
};
const LINK = '/publish';

const PUBLISHING_HELD = defineAlert({
  code: 'publishing_held',
  severities: ['critical'],
  when: 'the database was restored from a backup, so nothing is published',
  todo: 'run `millrace restore-check`',
});
const ACCOUNTS_BROKEN = defineAlert({
  code: 'accounts_broken',
  severities: ['warning'],
  when: "a platform rejected an account's credentials",
  todo: 'reconnect the account with new credentials',
});
const PUBLICATIONS_UNKNOWN = defineAlert({
  code: 'publications_unknown',
  severities: ['warning'],
  when: 'it cannot be determined whether a post was published',
  todo: 'look for the post on the platform, then resolve the publication',
});

function aboutHold(reason: string | null): FoundAlert[] {
  if (reason === null) return [];
  const message = `Nothing is published: ${reason}. Run \`millrace restore-check\`.`;
  return [alertOf(PUBLISHING_HELD, { link: LINK, message })];
}

function aboutAccounts(broken: number): FoundAlert[] {
  if (!broken) return [];
  const message =
    broken === 1
      ? '1 account needs reconnecting: the platform rejected its credentials.'
      : `${broken} accounts need reconnecting: the platforms rejected their credentials.`;
  return [alertOf(ACCOUNTS_BROKEN, { link: LINK, message })];
}

function aboutUnknown(unknown: number): FoundAlert[] {
  if (!unknown) return [];
  const which = unknown === 1 ? '1 post' : `${unknown} posts`;
  const message = `It cannot be determined whether ${which} ${unknown === 1 ? 'was' : 'were'} published. Look on the platform, then resolve ${unknown === 1 ? 'it' : 'them'}.`;
  return [alertOf(PUBLICATIONS_UNKNOWN, { link: LINK, message })];
}
