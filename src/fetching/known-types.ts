import { Injectable } from '@nestjs/common';
import { ApiError } from '../platform/errors/api-error.js';
import { type SourceIdentity, SourceTypes } from '../sources/source-types.js';
import { failureOf } from './fetch-failure.js';
import { FetchPage } from './fetch-page.js';
import type { FeedDocument } from './fetcher.js';
import { FETCHERS } from './fetchers.js';

/** What the fetchers know about addresses and ids, for those who follow sources. */
@Injectable()
export class KnownTypes extends SourceTypes {
  constructor(private readonly pages: FetchPage) {
    super();
  }

  names(): string[] {
    return FETCHERS.map(({ type }) => type);
  }

  identify(type: string, externalId: string): SourceIdentity {
    const fetcher = FETCHERS.find((one) => one.type === type);
    if (!fetcher) {
      const message = `one of ${this.names().join(', ')}`;
      throw new ApiError('validation_failed', `type: ${message}`, { errors: [{ path: 'type', message }] });
    }
    const checked = fetcher.externalId.safeParse(externalId);
    if (checked.success) return { type, externalId: checked.data };
    const errors = checked.error.issues.map(({ message }) => ({ path: 'externalId', message }));
    throw new ApiError('validation_failed', `externalId: ${errors[0]?.message}`, { errors });
  }

  async recognise(url: URL, signal: AbortSignal): Promise<SourceIdentity | undefined> {
    for (const { type, recognise, lookUp, externalId: schema } of FETCHERS) {
      const found = recognise?.(url) ?? (await lookUp?.(url, this.pages.tools, signal));
      const checked = schema.safeParse(found);
      if (checked.success) return { type, externalId: checked.data };
    }
    return undefined;
  }

  async readFeed(document: FeedDocument): Promise<{ title?: string | undefined } | undefined> {
    try {
      return await this.pages.tools.parseFeed(document);
    } catch (error) {
      if (failureOf(error)) return undefined;
      throw error;
    }
  }
}
