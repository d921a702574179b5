import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Database } from '../platform/database/database.js';
import { alertOf, defineAlert } from '../platform/health/alert-catalogue.js';
import { type Facts, HealthFacts } from '../platform/health/health-facts.js';
import type { FoundAlert, HealthSections } from '../platform/health/health-sections.js';
import { jobIs, jobIsNot } from '../platform/jobs/job-columns.js';
import { accounts } from './accounts/accounts.table.js';
import { publicationChanges, publications } from './publications/publications.table.js';
import { publishingHolds } from './restore/publishing-holds.table.js';

const HOUR_MS = 3_600_000;

type Row = HealthSections['publishing'] & { broken: number; unknown: number; held: string | null };

@Injectable()
export class PublishingHealth implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly facts: HealthFacts,
  ) {}

  onModuleInit() {
    this.facts.register('publishing', (now) => this.read(now));
  }

  private async read(now: Date): Promise<Facts<HealthSections['publishing']>> {
    const at = now.toISOString();
    const { rows } = await this.database.db.execute<Row>(sql`
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
  when: "a platform does not take an account's credentials",
  todo: 'give new ones',
});
const PUBLICATIONS_UNKNOWN = defineAlert({
  code: 'publications_unknown',
  severities: ['warning'],
  when: 'nobody can tell whether a post went out',
  todo: 'look on the platform, then resolve it',
});

function aboutHold(reason: string | null): FoundAlert[] {
  if (reason === null) return [];
  const message = `Nothing is published: ${reason}. Run \`millrace restore-check\`.`;
  return [alertOf(PUBLISHING_HELD, { link: LINK, message })];
}

function aboutAccounts(broken: number): FoundAlert[] {
  if (!broken) return [];
  const which =
    broken === 1 ? '1 account is broken: its platform does' : `${broken} accounts are broken: their platforms do`;
  return [alertOf(ACCOUNTS_BROKEN, { link: LINK, message: `${which} not take the credentials. Give new ones.` })];
}

function aboutUnknown(unknown: number): FoundAlert[] {
  if (!unknown) return [];
  const which = unknown === 1 ? '1 post' : `${unknown} posts`;
  const message = `Nobody can tell whether ${which} went out. Look on the platform, then say so.`;
  return [alertOf(PUBLICATIONS_UNKNOWN, { link: LINK, message })];
}
