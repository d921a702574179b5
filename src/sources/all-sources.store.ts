import { Injectable } from '@nestjs/common';
import { and, asc, desc, eq, gt, isNull, lt, not, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { Database } from '../platform/database/database.js';
import { Clock } from '../platform/time/clock.js';
import { type FetchState, fetchStates, HAS_ERROR } from './fetch-states.table.js';
import { conditionReason, conditionState, type SourceCondition } from './source-condition.js';
import { type SourceState, sourceState } from './source-state.js';
import { type SourceRow, sources } from './sources.table.js';

/** `active` means that it is fetched at all; the others are conditions. */
export const AnyState = z.enum(['active', 'ok', 'failing', 'waiting', 'paused', 'gone']);

interface Filter {
  state?: z.infer<typeof AnyState> | undefined;
  type?: string | undefined;
  host?: string | undefined;
  error?: string | undefined;
  q?: string | undefined;
}

/** The place of a source in the list: those with an error come first, those with most failures before all others. */
export const Place = z.tuple([z.boolean(), z.int(), Id]);
type Place = z.infer<typeof Place>;

export interface ListedSource {
  source: SourceRow;
  state: FetchState;
  stateName: SourceState;
  condition: SourceCondition;
  place: Place;
}

interface Position {
  after: Place | undefined;
  limit: number;
}

@Injectable()
export class AllSourcesStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Two queries, each in the order of an index, so that a page costs the same however many sources there are. */
  async list(filter: Filter, { after, limit }: Position): Promise<ListedSource[]> {
    const failing = after && !after[0] ? [] : await this.withError(filter, { after, limit });
    if (failing.length === limit || filter.error !== undefined) return failing;
    const rest = { after: after && !after[0] ? after : undefined, limit: limit - failing.length };
    return [...failing, ...(await this.withoutError(filter, rest))];
  }

  private withError(filter: Filter, { after, limit }: Position): Promise<ListedSource[]> {
    const [, failures = 0, id = '0'] = after ?? [];
    const { failures: column } = fetchStates;
    const isNext = after && or(lt(column, failures), and(eq(column, failures), gt(fetchStates.id, id)));
    const start = after && sql`${column} <= ${failures}`;
    return this.read(and(HAS_ERROR, start, isNext, this.matching(filter)), [desc(column), asc(fetchStates.id)], limit);
  }

  private withoutError(filter: Filter, { after, limit }: Position): Promise<ListedSource[]> {
    const isNext = after && gt(fetchStates.id, after[2]);
    return this.read(and(not(HAS_ERROR), isNext, this.matching(filter)), [asc(fetchStates.id)], limit);
  }

  private async read(where: SQL | undefined, order: SQL[], limit: number): Promise<ListedSource[]> {
    const now = this.clock.now();
    const found = await this.database.db
      .select({
        source: sources,
        state: fetchStates,
        stateName: sourceState,
        conditionState: conditionState(now),
        hasError: sql<boolean>`${HAS_ERROR}`,
      })
      .from(fetchStates)
      .innerJoin(sources, eq(sources.id, fetchStates.id))
      .where(where)
      .orderBy(...order)
      .limit(limit);
    return found.map(({ source, state, stateName, conditionState: condition, hasError }) => ({
      source,
      state,
      stateName,
      condition: { state: condition, reason: conditionReason(condition, state, now) },
      place: [hasError, state.failures, source.id],
    }));
  }

  private matching({ state, type, host, error, q }: Filter): SQL | undefined {
    const contains = (text: SQL, part: string) => sql`${text} ILIKE ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`;
    const isActive = sql`${fetchStates.activeFollowers} > 0 AND ${fetchStates.goneAt} IS NULL`;
    return and(
      isNull(fetchStates.movedTo),
      state && (state === 'active' ? isActive : eq(conditionState(this.clock.now()), state)),
      type === undefined ? undefined : eq(fetchStates.type, type),
      host === undefined ? undefined : eq(fetchStates.host, host.toLowerCase()),
      error === undefined ? undefined : contains(sql`${fetchStates.lastError}`, error),
      q === undefined ? undefined : or(contains(sql`${sources.title}`, q), contains(sql`${sources.externalId}`, q)),
    );
  }
}
