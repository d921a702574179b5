import { Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Database } from '../../../platform/database/database.js';
import { PreparedQuery } from '../../../platform/database/prepared-query.js';
import { fetchStates } from '../../../sources/fetch-states.table.js';
import { follows } from '../../../sources/follows.table.js';
import { type SiteIcon, siteIcons } from '../../../sources/site-icons.table.js';
import { sources } from '../../../sources/sources.table.js';

/** A source that a user follows. */
export interface ReaderFeed {
  id: string;
  type: string;
  /** The address, if the type is `rss`. */
  externalId: string;
  /** The title that the user has given, or else that of the source. */
  title: string | null;
  siteUrl: string | null;
  icon: Pick<SiteIcon, 'token' | 'version'> | null;
  folder: string | null;
  followedAt: Date;
  lastFetchAt: Date | null;
  nextFetchAt: Date | null;
  lastError: string | null;
  failures: number;
  /** Null while no icon is known. */
  iconId: string | null;
}

const listing = new PreparedQuery<ReaderFeed & Record<string, unknown>>(sql`
  SELECT s.id, s.type, s.external_id AS "externalId", coalesce(f.title, s.title) AS title, s.site_url AS "siteUrl",
    CASE WHEN icon.id IS NOT NULL THEN jsonb_build_object('token', icon.token, 'version', icon.version) END AS icon,
    f.folder, f.created_at AS "followedAt", state.last_fetch_at AS "lastFetchAt", state.next_fetch_at AS "nextFetchAt",
    state.last_error AS "lastError", state.failures, CASE WHEN icon.version IS NOT NULL THEN icon.id END AS "iconId"
  FROM ${follows} f JOIN ${sources} s ON s.id = f.source_id
  JOIN ${fetchStates} AS state ON state.id = f.source_id AND state.moved_to IS NULL
  LEFT JOIN ${siteIcons} AS icon ON icon.site = s.icon_site
  WHERE f.user_id = ${sql.placeholder('userId')}::bigint ORDER BY f.source_id`);

@Injectable()
export class ReaderFeeds {
  constructor(private readonly database: Database) {}

  /** In the order of their ids. */
  list(userId: string): Promise<ReaderFeed[]> {
    return listing.run(this.database.pool, { userId });
  }
}
