import { Injectable } from '@nestjs/common';
import { and, asc, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import { Database } from '../platform/database/database.js';
import { Clock } from '../platform/time/clock.js';
import { type FetchState, fetchStates } from './fetch-states.table.js';
import { follows } from './follows.table.js';
import { type SiteIcon, siteIcons } from './site-icons.table.js';
import { conditionReason, conditionState, type SourceCondition } from './source-condition.js';
import { type SourceState, sourceState } from './source-state.js';
import { type SourceRow, sources } from './sources.table.js';

export interface SeenSource {
  source: SourceRow;
  state: FetchState;
  stateName: SourceState;
  icon: Pick<SiteIcon, 'token' | 'version'> | null;
  condition: SourceCondition;
  follow: { folder: string | null; title: string | null; maxDelayMinutes: number | null } | null;
}

interface SourceFilter {
  state?: SourceState | undefined;
  condition?: SourceCondition['state'] | undefined;
  type?: string | undefined;
  folder?: string | undefined;
  q?: string | undefined;
}

const columnsAt = (now: Date) => ({
  source: sources,
  state: fetchStates,
  stateName: sourceState,
  conditionState: conditionState(now),
  icon: { token: siteIcons.token, version: siteIcons.version },
  follow: {
    // Drizzle decides by the first column whether the joined row exists, so it must not be nullable.
    userId: follows.userId,
    folder: follows.folder,
    title: follows.title,
    maxDelayMinutes: follows.maxDelayMinutes,
  },
});

@Injectable()
export class SourceViewsStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The id of a source that has moved leads to its target. */
  async find(userId: string, id: string, { evenUnfollowed = false } = {}): Promise<SeenSource | undefined> {
    const now = this.clock.now();
    const [found] = await this.database.db
      .select(columnsAt(now))
      .from(sources)
      .innerJoin(fetchStates, eq(fetchStates.id, sources.id))
      .leftJoin(siteIcons, eq(siteIcons.site, sources.iconSite))
      .leftJoin(follows, and(eq(follows.sourceId, sources.id), eq(follows.userId, userId)))
      .where(sql`${sources.id} = (SELECT coalesce(moved_to, id) FROM ${fetchStates} AS given WHERE given.id = ${id})`);
    return found && (found.follow || evenUnfollowed) ? seen(found, now) : undefined;
  }

  async list(
    userId: string,
    filter: SourceFilter,
    page: { after?: string | undefined; limit: number },
  ): Promise<SeenSource[]> {
    const now = this.clock.now();
    const found = await this.database.db
      .select(columnsAt(now))
      .from(follows)
      .innerJoin(sources, eq(sources.id, follows.sourceId))
      .innerJoin(fetchStates, eq(fetchStates.id, sources.id))
      .leftJoin(siteIcons, eq(siteIcons.site, sources.iconSite))
      .where(
        and(
          eq(follows.userId, userId),
          isNull(fetchStates.movedTo),
          matching(filter, now),
          page.after ? gt(follows.sourceId, page.after) : undefined,
        ),
      )
      .orderBy(asc(follows.sourceId))
      .limit(page.limit);
    return found.map((one) => seen(one, now));
  }

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
      .innerJoin(fetchStates, eq(fetchStates.id, follows.sourceId))
      .where(and(eq(follows.userId, userId), isNull(fetchStates.movedTo)))
      .orderBy(asc(follows.sourceId));
  }
}

export type ListedSource = Pick<SourceRow, 'type' | 'externalId' | 'siteUrl' | 'title'> & { folder: string | null };

type FoundSource = Omit<SeenSource, 'condition'> & { conditionState: SourceCondition['state'] };

function seen({ conditionState: state, ...found }: FoundSource, now: Date): SeenSource {
  return { ...found, condition: { state, reason: conditionReason(state, found.state, now) } };
}

function matching({ state, condition, type, folder, q }: SourceFilter, now: Date): SQL | undefined {
  const name = sql`coalesce(${follows.title}, ${sources.title}, ${sources.externalId})`;
  return and(
    state && eq(sourceState, state),
    condition && eq(conditionState(now), condition),
    type === undefined ? undefined : eq(sources.type, type),
    folder === undefined
      ? undefined
      : or(eq(follows.folder, folder), sql`${follows.folder} LIKE ${`${literally(folder)}/%`}`),
    q === undefined ? undefined : sql`${name} ILIKE ${`%${literally(q)}%`}`,
  );
}

const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&');
