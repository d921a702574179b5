import { Injectable } from '@nestjs/common';
import { and, gt, inArray, isNotNull, sql } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import { Database } from '../../platform/database/database.js';
import type { HostBackoff } from '../../platform/hosts/host-backoffs.js';
import { type HostLimit, hostBackoffs, hostLimits } from '../../platform/hosts/host-limits.table.js';
import { fetchStates } from '../../sources/fetch-states.table.js';

export interface HostRow {
  host: string;
  limit: HostLimit | undefined;
  backoff: HostBackoff | undefined;
  sources: number;
  activeSources: number;
}

interface WantedHosts {
  /** Whether to list every host that sources are fetched from, and not only those with a limit or a back-off. */
  all: boolean;
  q?: string | undefined;
  after?: string | undefined;
  limit: number;
}

@Injectable()
export class HostsStore {
  constructor(private readonly database: Database) {}

  async list(wanted: WantedHosts, now: Date): Promise<HostRow[]> {
    return this.describe(await this.names(wanted, now), now);
  }

  async find(host: string, now: Date): Promise<HostRow> {
    const [row] = await this.describe([host], now);
    return row ?? { host, limit: undefined, backoff: undefined, sources: 0, activeSources: 0 };
  }

  private async names({ all, q = '', after = '', limit }: WantedHosts, now: Date): Promise<string[]> {
    const { db } = this.database;
    const limited = db.select({ host: hostLimits.host }).from(hostLimits);
    const closed = db.select({ host: hostBackoffs.host }).from(hostBackoffs).where(gt(hostBackoffs.until, now));
    const asked = db
      .select({ host: sql<string>`${fetchStates.host}` })
      .from(fetchStates)
      .where(and(isNotNull(fetchStates.host), all ? undefined : sql`false`));
    const known = union(limited, closed, asked).as('known');
    const rows = await db
      .select({ host: known.host })
      .from(known)
      .where(and(sql`position(${q.toLowerCase()} in ${known.host}) > 0`, sql`${known.host} COLLATE "C" > ${after}`))
      .orderBy(sql`${known.host} COLLATE "C"`)
      .limit(limit);
    return rows.map(({ host }) => host);
  }

  private async describe(hosts: string[], now: Date): Promise<HostRow[]> {
    if (!hosts.length) return [];
    const { db } = this.database;
    const [limits, closed, counts] = await Promise.all([
      db.select().from(hostLimits).where(inArray(hostLimits.host, hosts)),
      db
        .select()
        .from(hostBackoffs)
        .where(and(inArray(hostBackoffs.host, hosts), gt(hostBackoffs.until, now))),
      this.countSources(hosts),
    ]);
    return hosts.map((host) => {
      const { sources = 0, activeSources = 0 } = counts.find((row) => row.host === host) ?? {};
      const limit = limits.find((row) => row.host === host);
      return { host, limit, backoff: closed.find((row) => row.host === host), sources, activeSources };
    });
  }

  /** Reads all states, because an index by host would slow down every fetch for a rare query. */
  private countSources(hosts: string[]) {
    return this.database.db
      .select({
        host: fetchStates.host,
        sources: sql<number>`count(*)::int`,
        activeSources: sql<number>`(count(*) FILTER (WHERE ${fetchStates.activeFollowers} > 0))::int`,
      })
      .from(fetchStates)
      .where(inArray(fetchStates.host, hosts))
      .groupBy(fetchStates.host);
  }
}
