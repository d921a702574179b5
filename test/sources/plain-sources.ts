import { Global, Module } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import type { Db } from '../../src/platform/database/database.js';
import { ApiError } from '../../src/platform/errors/api-error.js';
import { OutgoingRequestError } from '../../src/platform/http/outgoing-request-error.js';
import { type AfterCommit, Demand } from '../../src/sources/demand.js';
import { ScheduleExplainer } from '../../src/sources/schedule-explainer.js';
import { type SourceIdentity, SourceTypes } from '../../src/sources/source-types.js';

/** Feeds, and the accounts of one social network; neither is ever fetched. */
export class PlainTypes extends SourceTypes {
  names() {
    return ['rss', 'mastodon'];
  }

  identify(type: string, externalId: string): SourceIdentity {
    if (!this.names().includes(type)) throw invalid('type', `one of ${this.names().join(', ')}`);
    if (type === 'mastodon') return { type, externalId: externalId.toLowerCase() };
    if (!URL.canParse(externalId)) throw invalid('externalId', 'an http or https address');
    const url = new URL(externalId);
    if (!/^https?:$/.test(url.protocol)) throw invalid('externalId', 'an http or https address');
    return { type, externalId: url.href };
  }

  /** Another host with such a path is asked, and does not answer. */
  async recognise({ hostname, pathname, href }: URL): Promise<SourceIdentity | undefined> {
    const [, user] = /^\/@(\w+)$/.exec(pathname) ?? [];
    if (!user) return undefined;
    if (hostname !== 'social.example') throw new OutgoingRequestError('NETWORK_ERROR', `${href} could not be read`);
    return { type: 'mastodon', externalId: `${user}@${hostname}` };
  }

  async readFeed({ body }: { body: Uint8Array }) {
    const text = Buffer.from(body).toString();
    return /^\s*<(rss|feed)[\s>]/.test(text) ? { title: /<title>(.*?)<\/title>/.exec(text)?.[1] } : undefined;
  }
}

/** Counts everybody as active. */
export class CountedDemand extends Demand {
  committed: string[][] = [];

  async followed(db: Db, _userId: string, sourceIds: string[]): Promise<AfterCommit> {
    await change(db, sourceIds, 1);
    return async () => {
      this.committed.push(sourceIds);
    };
  }

  async unfollowed(db: Db, _userId: string, sourceIds: string[]) {
    await change(db, sourceIds, -1);
  }

  async wished(): Promise<AfterCommit> {
    return async () => undefined;
  }

  async merged(db: Db, sourceId: string): Promise<AfterCommit> {
    await db.execute(sql`
      UPDATE fetch_states SET active_followers = (SELECT count(*) FROM follows WHERE source_id = ${sourceId})
      WHERE id = ${sourceId}`);
    return async () => undefined;
  }
}

const change = (db: Db, sourceIds: string[], by: number) => {
  const ids = sql.param(sourceIds);
  return db.execute(sql`
    UPDATE fetch_states SET active_followers = active_followers + ${by}::int WHERE id = ANY(${ids}::bigint[])`);
};

class PlainSchedules extends ScheduleExplainer {
  explain(_source: unknown, { activeFollowers }: { activeFollowers: number }) {
    return { priority: activeFollowers ? 7 : null, because: [`${activeFollowers} active followers.`] };
  }
}

@Global()
@Module({
  providers: [
    { provide: SourceTypes, useClass: PlainTypes },
    { provide: Demand, useClass: CountedDemand },
    { provide: ScheduleExplainer, useClass: PlainSchedules },
  ],
  exports: [SourceTypes, Demand, ScheduleExplainer],
})
export class PlainSourcesModule {}

function invalid(path: string, message: string): ApiError {
  return new ApiError('validation_failed', `${path}: ${message}`, { errors: [{ path, message }] });
}
