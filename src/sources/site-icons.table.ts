import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { bytes, idColumn, instant } from '../platform/database/columns.js';
import { jobColumns, waitingIndex } from '../platform/jobs/job-columns.js';

/** One icon for each site, which its sources share (`icon_site` of `sources`). */
export const siteIcons = pgTable(
  'site_icons',
  {
    id: idColumn(),
    /** Host and port. */
    site: text().notNull().unique(),
    origin: text().notNull(),
    /** Part of the icon's public address, from which nobody can tell which sites are followed here. */
    token: text().notNull().unique(),
    /** Null while no icon is known. The version is the beginning of a hash of the bytes. */
    bytes: bytes(),
    mime: text(),
    version: text(),
    /** Time of the next request. */
    askAt: instant().notNull(),
    failures: integer().notNull().default(0),
    lastError: text(),
    ...jobColumns(),
  },
  (table) => [
    waitingIndex('site_icons_waiting', table),
    index('site_icons_due').on(table.askAt).where(sql`job_state <> 'waiting'`),
  ],
);

export type SiteIcon = typeof siteIcons.$inferSelect;

/** The path changes with the icon, so clients may keep what they find there. */
export function iconPath(icon: Pick<SiteIcon, 'token' | 'version'> | null): string | null {
  return icon?.version ? `/api/v1/icons/${icon.token}?v=${icon.version}` : null;
}
