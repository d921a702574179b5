import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Database } from '../platform/database/database.js';
import { alertOf, defineAlert } from '../platform/health/alert-catalogue.js';
import { type Facts, HealthFacts } from '../platform/health/health-facts.js';
import type { FoundAlert, HealthSections } from '../platform/health/health-sections.js';
import { accounts } from './accounts.table.js';
import { publicationChanges } from './publication-changes.table.js';
import { publications } from './publications.table.js';

const HOUR_MS = 3_600_000;

type Row = HealthSections['publishing'] & { broken: number; unknown: number };

/** How publishing gets on. */
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
        (SELECT count(*)::int FROM ${publications} WHERE
          (status = 'scheduled' AND job_state <> 'waiting' AND scheduled_at <= ${at}::timestamptz)
          OR (status = 'queued' AND job_state = 'waiting')) AS due,
        (SELECT count(*)::int FROM lately WHERE "to" = 'published') AS "publishedLastHour",
        (SELECT count(*)::int FROM lately WHERE "to" = 'failed') AS "failedLastHour",
        (SELECT count(*)::int FROM ${accounts} WHERE status = 'broken' AND removed_at IS NULL) AS broken,
        (SELECT count(*)::int FROM ${publications} WHERE status = 'unknown') AS unknown`);
    const { broken, unknown, ...stats } = rows[0] ?? NOTHING;
    return { stats, alerts: [...aboutAccounts(broken), ...aboutUnknown(unknown)] };
  }
}

const NOTHING: Row = { due: 0, publishedLastHour: 0, failedLastHour: 0, broken: 0, unknown: 0 };
const LINK = '/publish';

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
