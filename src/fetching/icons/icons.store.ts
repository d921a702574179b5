import { Injectable } from '@nestjs/common';
import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import { newToken } from '../../auth/keys/secret.js';
import { entityTag } from '../../platform/api/entity-tag.js';
import { Database, type Db } from '../../platform/database/database.js';
import { parseWebAddress } from '../../platform/http/web-address.js';
import { IDLE_JOB } from '../../platform/jobs/job-columns.js';
import { Clock } from '../../platform/time/clock.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { type SiteIcon, siteIcons } from '../../sources/site-icons.table.js';
import { type SourceRow, sources } from '../../sources/sources.table.js';
import { type IconResult, nextIconRequest } from './next-icon-request.js';
import type { Image } from './read-image.js';

@Injectable()
export class IconsStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Finds out the sites of followed sources that were fetched at least once. Returns the number of sources. */
  async assignSites(limit: number): Promise<number> {
    return this.database.transaction(async (db) => {
      const unassigned = await db
        .select({ id: sources.id, siteUrl: sources.siteUrl, externalId: sources.externalId })
        .from(sources)
        .innerJoin(fetchStates, eq(fetchStates.id, sources.id))
        .where(and(isNull(sources.iconSite), gt(sources.followers, 0), isNotNull(fetchStates.lastFetchAt)))
        .orderBy(sources.id)
        .limit(limit)
        .for('no key update', { of: sources, skipLocked: true });
      const assigned = unassigned.map((source) => ({ id: source.id, url: iconSiteOf(source) }));
      await this.addSites(
        db,
        assigned.flatMap(({ url }) => url ?? []),
      );
      await db.execute(sql`
        UPDATE ${sources} SET icon_site = assigned.site
        FROM unnest(${sql.param(assigned.map(({ id }) => id))}::bigint[],
          ${sql.param(assigned.map(({ url }) => url?.host ?? ''))}::text[]) AS assigned (id, site)
        WHERE ${sources}.id = assigned.id`);
      return assigned.length;
    });
  }

  async find(id: string): Promise<SiteIcon | undefined> {
    const [found] = await this.database.db.select().from(siteIcons).where(eq(siteIcons.id, id));
    return found;
  }

  async findByToken(token: string): Promise<SiteIcon | undefined> {
    const [found] = await this.database.db.select().from(siteIcons).where(eq(siteIcons.token, token));
    return found;
  }

  async isUsed({ site }: Pick<SiteIcon, 'site'>): Promise<boolean> {
    const ofSite = and(eq(sources.iconSite, site), sql`icon_site <> ''`, gt(sources.followers, 0));
    const found = await this.database.db.select({ id: sources.id }).from(sources).where(ofSite).limit(1);
    return found.length > 0;
  }

  /** A failed request keeps the icon that is known. */
  async record(db: Db, { id, failures }: SiteIcon, { image, failure }: Outcome): Promise<void> {
    const result: IconResult = image ? 'found' : failure ? 'failed' : 'none';
    const failed = result === 'failed' ? failures + 1 : 0;
    const askAt = nextIconRequest(result, failed, this.clock.now());
    await db
      .update(siteIcons)
      .set({ askAt, failures: failed, lastError: failure ?? null, ...(result !== 'failed' && contentOf(image)) })
      .where(eq(siteIcons.id, id));
  }

  /** Asks a site that nobody follows no more often than one that has no icon. */
  async postpone(db: Db, id: string): Promise<void> {
    await db
      .update(siteIcons)
      .set({ askAt: nextIconRequest('none', 0, this.clock.now()) })
      .where(eq(siteIcons.id, id));
  }

  private async addSites(db: Db, urls: URL[]): Promise<void> {
    const origins = new Map(urls.map((url) => [url.host, url.origin]));
    const sorted = [...origins].toSorted(([a], [b]) => (a < b ? -1 : 1));
    // Concurrent callers insert in the same order, so they do not deadlock.
    await db.execute(sql`
      INSERT INTO ${siteIcons} (site, origin, token, ask_at, ${IDLE_JOB.column})
      SELECT site, origin, token, ${this.clock.now()}, ${IDLE_JOB.value}
      FROM unnest(${sql.param(sorted.map(([site]) => site))}::text[], ${sql.param(sorted.map(([, origin]) => origin))}::text[],
        ${sql.param(sorted.map(() => newToken()))}::text[]) WITH ORDINALITY AS added (site, origin, token, place)
      ORDER BY place ON CONFLICT DO NOTHING`);
  }
}

/** Where the icon of a source is looked for: the site that it names, or the one that its feed is on. */
function iconSiteOf({ siteUrl, externalId }: Pick<SourceRow, 'siteUrl' | 'externalId'>): URL | undefined {
  return (siteUrl === null ? undefined : parseWebAddress(siteUrl)?.url) ?? parseWebAddress(externalId)?.url;
}

interface Outcome {
  image?: Image | undefined;
  failure?: string | undefined;
}

const contentOf = (image: Image | undefined) => ({
  bytes: image?.bytes ?? null,
  mime: image?.mime ?? null,
  version: image ? entityTag(image.bytes).slice(1, -1) : null,
});
