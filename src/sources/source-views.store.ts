import { Injectable } from '@nestjs/common';
import { and, asc, eq, gt, or, type SQL, sql } from 'drizzle-orm';
import { Database } from '../platform/database/database.js';
import { type FetchState, fetchStates } from './fetch-states.table.js';
import { follows } from './follows.table.js';
import { type SourceState, sourceState } from './source-state.js';
import { type SourceRow, sources } from './sources.table.js';

export interface SeenSource {
  source: SourceRow;
  state: FetchState;
  stateName: SourceState;
  /** Null for somebody who does not follow it. */
  follow: { folder: string | null; title: string | null; maxDelayMinutes: number | null } | null;
}

export interface SourceFilter {
  state?: SourceState | undefined;
  type?: string | undefined;
  /** With the folders in it. */
  folder?: string | undefined;
  /** A part of the name it is shown by. */
  q?: string | undefined;
}

const columns = {
  source: sources,
  state: fetchStates,
  stateName: sourceState,
  follow: {
    // First, and never null in a row that is there: by it Drizzle tells whether one is.
    userId: follows.userId,
    folder: follows.folder,
    title: follows.title,
    maxDelayMinutes: follows.maxDelayMinutes,
  },
};

/** Sources as users see them. */
@Injectable()
export class SourceViewsStore {
  constructor(private readonly database: Database) {}

  /** `evenUnfollowed` finds a source that the user does not follow, too. */
  async find(userId: string, id: string, { evenUnfollowed = false } = {}): Promise<SeenSource | undefined> {
    const [found] = await this.database.db
      .select(columns)
      .from(sources)
      .innerJoin(fetchStates, eq(fetchStates.id, sources.id))
      .leftJoin(follows, and(eq(follows.sourceId, sources.id), eq(follows.userId, userId)))
      .where(eq(sources.id, id));
    return found?.follow || evenUnfollowed ? found : undefined;
  }

  /** What a user follows, in the order of the sources' ids. */
  async list(
    userId: string,
    filter: SourceFilter,
    page: { after?: string | undefined; limit: number },
  ): Promise<SeenSource[]> {
    return this.database.db
      .select(columns)
      .from(follows)
      .innerJoin(sources, eq(sources.id, follows.sourceId))
      .innerJoin(fetchStates, eq(fetchStates.id, sources.id))
      .where(
        and(eq(follows.userId, userId), matching(filter), page.after ? gt(follows.sourceId, page.after) : undefined),
      )
      .orderBy(asc(follows.sourceId))
      .limit(page.limit);
  }

  /** All that a user follows, as an OPML document shows it. */
  async listed(userId: string): Promise<ListedSource[]> {
    const { type, externalId, siteUrl } = sources;
    return this.database.db
      .select({
        type,
        externalId,
        siteUrl,
        title: sql<string | null>`coalesce(${follows.title}, ${sources.title})`,
        folder: follows.folder,
      })
      .from(follows)
      .innerJoin(sources, eq(sources.id, follows.sourceId))
      .where(eq(follows.userId, userId))
      .orderBy(asc(follows.sourceId));
  }
}

export type ListedSource = Pick<SourceRow, 'type' | 'externalId' | 'siteUrl' | 'title'> & { folder: string | null };

function matching({ state, type, folder, q }: SourceFilter): SQL | undefined {
  const name = sql`coalesce(${follows.title}, ${sources.title}, ${sources.externalId})`;
  return and(
    state && eq(sourceState, state),
    type === undefined ? undefined : eq(sources.type, type),
    folder === undefined
      ? undefined
      : or(eq(follows.folder, folder), sql`${follows.folder} LIKE ${`${literally(folder)}/%`}`),
    q === undefined ? undefined : sql`${name} ILIKE ${`%${literally(q)}%`}`,
  );
}

const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&');
