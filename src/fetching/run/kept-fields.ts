import { Injectable } from '@nestjs/common';
import type { Db } from '../../platform/database/database.js';
import type { FoundPost } from '../../posts/post.js';
import type { FetchState } from '../../sources/fetch-states.table.js';
import type { FieldPaths } from '../fetcher.js';

/** What a feature does that keeps additional fields of the posts of some sources. */
interface FieldUse {
  pathsOf(sourceId: string): Promise<FieldPaths>;
  /** Called in the transaction that saves the posts, after they were saved. */
  store(db: Db, sourceId: string, found: FoundPost[]): Promise<void>;
}

type Source = Pick<FetchState, 'id' | 'keepsFields'>;

/** Sources without fields cost nothing here, because their rows say that they have none. */
@Injectable()
export class KeptFields {
  private use: FieldUse | undefined;

  keepFor(use: FieldUse): void {
    this.use = use;
  }

  async pathsOf({ id, keepsFields }: Source): Promise<FieldPaths | undefined> {
    const paths = keepsFields ? await this.use?.pathsOf(id) : undefined;
    return paths && Object.keys(paths).length ? paths : undefined;
  }

  /** Undefined if there is nothing to store. */
  writerFor({ id, keepsFields }: Source, found: FoundPost[]): ((db: Db) => Promise<void>) | undefined {
    const { use } = this;
    const posts = found.filter(({ fields }) => fields);
    return use && keepsFields && posts.length ? (db) => use.store(db, id, posts) : undefined;
  }
}
