import { Injectable } from '@nestjs/common';
import { Rpc } from '../platform/broker/rpc.js';
import { ApiError } from '../platform/errors/api-error.js';
import { type SourceIdentity, SourceTypes } from '../sources/source-types.js';
import { FetchTypes } from './fetch-types.js';
import type { FeedDocument, Fetcher } from './fetcher.js';
import { failureOf } from './run/fetch-failure.js';
import { FetchPage } from './run/fetch-page.js';

/** What the fetchers know about addresses and ids, for those who follow sources. */
@Injectable()
export class KnownTypes extends SourceTypes {
  constructor(
    private readonly rpc: Rpc,
    private readonly types: FetchTypes,
    private readonly pages: FetchPage,
  ) {
    super();
  }

  names(): string[] {
    return this.types.fetchers.map(({ type }) => type);
  }

  identify(type: string, externalId: string): SourceIdentity {
    const fetcher = this.types.find(type);
    if (!fetcher) {
      const message = `one of ${this.names().join(', ')}`;
      throw new ApiError('validation_failed', `type: ${message}`, { errors: [{ path: 'type', message }] });
    }
    this.requireWorkers(fetcher);
    const checked = fetcher.externalId.safeParse(externalId);
    if (checked.success) return { type, externalId: checked.data };
    const errors = checked.error.issues.map(({ message }) => ({ path: 'externalId', message }));
    throw new ApiError('validation_failed', `externalId: ${errors[0]?.message}`, { errors });
  }

  async recognise(url: URL, signal: AbortSignal): Promise<SourceIdentity | undefined> {
    for (const fetcher of this.types.fetchers) {
      const found = fetcher.recognise?.(url) ?? (await fetcher.lookUp?.(url, this.pages.tools, signal));
      const checked = fetcher.externalId.safeParse(found);
      if (!checked.success) continue;
      this.requireWorkers(fetcher);
      return { type: fetcher.type, externalId: checked.data };
    }
    return undefined;
  }

  private requireWorkers({ name, type, remote }: Fetcher): void {
    if (!remote || this.rpc.isConfigured) return;
    const why = `sources of type ${type} are fetched by a worker over RabbitMQ, and RABBITMQ_URL is not set`;
    throw new ApiError('worker_needed', `${name}: ${why}.`);
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
