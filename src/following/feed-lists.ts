import { Injectable } from '@nestjs/common';
import { SourceCatalogue } from '../fetching/source-catalogue.js';
import { Text } from '../platform/database/columns.js';
import { ApiError } from '../platform/errors/api-error.js';
import { ThreadDied, ThreadTimeout } from '../platform/threads/thread-error.js';
import type { SourceIdentity } from '../sources/sources.table.js';
import { Documents } from './documents.js';
import { sourceAt } from './opml-address.js';
import type { OpmlFeed } from './read-opml.js';

export const MAX_EXTERNAL_ID_LENGTH = 2_000;
const ExternalId = Text.min(1, 'empty').max(MAX_EXTERNAL_ID_LENGTH, `longer than ${MAX_EXTERNAL_ID_LENGTH} characters`);

/** It sends no requests, so invalid feeds show only when they are fetched. */
@Injectable()
export class FeedLists {
  constructor(
    private readonly documents: Documents,
    private readonly catalogue: SourceCatalogue,
  ) {}

  async readOpml(opml: string, maxOutlines?: number): Promise<Iterable<OpmlFeed[]>> {
    try {
      return await this.documents.readOpml(opml, maxOutlines);
    } catch (error) {
      if (error instanceof ThreadTimeout || error instanceof ThreadDied)
        throw new ApiError('invalid_opml', 'It takes too much time or memory to read.');
      if (error instanceof Error && error.name === 'OpmlError') throw new ApiError('invalid_opml', error.message);
      throw error;
    }
  }

  identify(address: string): SourceIdentity | { reason: string } {
    const given = sourceAt(address);
    const checked = ExternalId.safeParse(given.externalId);
    if (!checked.success) return { reason: checked.error.issues[0]?.message ?? 'not an address' };
    try {
      return this.catalogue.identify(given);
    } catch (error) {
      if (error instanceof ApiError) return { reason: reasonOf(error) };
      throw error;
    }
  }
}

/** The path is left out, because only the address can be wrong. */
function reasonOf({ errors, message }: ApiError): string {
  const [wrong] = errors ?? [];
  return wrong?.path === 'externalId' ? wrong.message : message;
}
