import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { keyOf } from '../sources/sources.store.js';
import { FeedLists, MAX_EXTERNAL_ID_LENGTH } from './feed-lists.js';
import { Following, type RequestedFollow } from './following.js';
import type { OpmlFeed } from './read-opml.js';

const FailedFeed = z.strictObject({ title: z.string().nullable(), xmlUrl: z.string(), reason: z.string() });
type FailedFeed = z.infer<typeof FailedFeed>;

/** Every feed of the document counts once. A feed that it lists twice counts as already followed. */
export const ImportedOpml = z.strictObject({
  followed: z.int(),
  alreadyFollowed: z.int(),
  failed: z.array(FailedFeed),
  items: z.array(z.strictObject({ id: Id, type: z.string(), externalId: z.string() })),
});
type ImportedOpml = z.infer<typeof ImportedOpml>;

@Injectable()
export class OpmlImport {
  constructor(
    private readonly lists: FeedLists,
    private readonly following: Following,
  ) {}

  async run(userId: string, opml: string): Promise<ImportedOpml> {
    const feeds = [...(await this.lists.readOpml(opml))].flat();
    const { wanted, failed } = this.sort(feeds);
    const { sourceIds, newIds } = await this.following.followAll(userId, wanted);
    const items = wanted.flatMap(({ type, externalId }) => {
      const id = sourceIds.get(keyOf({ type, externalId }));
      return id ? [{ id, type, externalId }] : [];
    });
    return {
      followed: newIds.length,
      alreadyFollowed: feeds.length - failed.length - newIds.length,
      failed,
      items,
    };
  }

  /** If several outlines name one source, the first counts. */
  private sort(feeds: OpmlFeed[]): { wanted: RequestedFollow[]; failed: FailedFeed[] } {
    const wanted = new Map<string, RequestedFollow>();
    const failed: FailedFeed[] = [];
    for (const { xmlUrl, title, folder } of feeds) {
      const source = this.lists.identify(xmlUrl);
      if ('reason' in source)
        failed.push({ title: title ?? null, xmlUrl: xmlUrl.slice(0, MAX_EXTERNAL_ID_LENGTH), reason: source.reason });
      else if (!wanted.has(keyOf(source)))
        wanted.set(keyOf(source), { ...source, folder, title: title === source.externalId ? undefined : title });
    }
    return { wanted: [...wanted.values()], failed };
  }
}
