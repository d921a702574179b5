import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Id, Text } from '../platform/database/columns.js';
import { ApiError } from '../platform/errors/api-error.js';
import { ThreadDied, ThreadTimeout } from '../platform/threads/thread-error.js';
import { Documents } from './documents.js';
import { Following, type WantedSource } from './following.js';
import { sourceAt } from './opml-address.js';
import type { OpmlFeed } from './read-opml.js';
import { SourceAddresses } from './source-addresses.js';
import { keyOf } from './sources.store.js';

const FailedFeed = z.strictObject({ title: z.string().nullable(), xmlUrl: z.string(), reason: z.string() });
type FailedFeed = z.infer<typeof FailedFeed>;

/** Every feed of the document is among one of the three. One that it lists twice counts as followed already. */
export const ImportedOpml = z.strictObject({
  followed: z.int(),
  alreadyFollowed: z.int(),
  failed: z.array(FailedFeed),
  items: z.array(z.strictObject({ id: Id, type: z.string(), externalId: z.string() })),
});
type ImportedOpml = z.infer<typeof ImportedOpml>;

export const LONGEST_EXTERNAL_ID = 2_000;
const ExternalId = Text.min(1).max(LONGEST_EXTERNAL_ID);

/** Follows all that an OPML document lists. No feed is asked: whether there is one shows when it is fetched. */
@Injectable()
export class OpmlImport {
  constructor(
    private readonly documents: Documents,
    private readonly addresses: SourceAddresses,
    private readonly following: Following,
  ) {}

  async run(userId: string, opml: string): Promise<ImportedOpml> {
    const feeds = await this.read(opml);
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

  private async read(opml: string): Promise<OpmlFeed[]> {
    try {
      return await this.documents.readOpml(opml);
    } catch (error) {
      if (error instanceof ThreadTimeout || error instanceof ThreadDied)
        throw new ApiError('invalid_opml', 'It takes too much time or memory to read.');
      if (error instanceof Error && error.name === 'OpmlTrouble') throw new ApiError('invalid_opml', error.message);
      throw error;
    }
  }

  /** Of several outlines for one source the first counts. */
  private sort(feeds: OpmlFeed[]): { wanted: WantedSource[]; failed: FailedFeed[] } {
    const wanted = new Map<string, WantedSource>();
    const failed: FailedFeed[] = [];
    for (const feed of feeds) {
      const source = this.check(feed);
      if ('reason' in source) failed.push(source);
      else if (!wanted.has(keyOf(source))) wanted.set(keyOf(source), source);
    }
    return { wanted: [...wanted.values()], failed };
  }

  private check({ xmlUrl, title, folder }: OpmlFeed): WantedSource | FailedFeed {
    const failed = (reason: string) => ({ title: title ?? null, xmlUrl: xmlUrl.slice(0, LONGEST_EXTERNAL_ID), reason });
    const given = sourceAt(xmlUrl);
    const checked = ExternalId.safeParse(given.externalId);
    if (!checked.success) return failed(checked.error.issues[0]?.message ?? 'not an address');
    try {
      const { type, externalId } = this.addresses.identify(given);
      const ownTitle = title === externalId ? undefined : title;
      return { type, externalId, folder, title: ownTitle };
    } catch (error) {
      if (error instanceof ApiError) return failed(error.message);
      throw error;
    }
  }
}
