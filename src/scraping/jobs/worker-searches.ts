import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { adaptAnswer } from '../../contracts/adapt-answer.js';
import { SCHEMA_VERSION } from '../../contracts/fields.js';
import { scrapeQueue } from '../../contracts/queues.js';
import type { NewScrapeCommand } from '../../contracts/scrape-command.js';
import { ScrapeResult } from '../../contracts/scrape-result.js';
import { WorkerError, WorkerRpc } from '../../platform/broker/worker-rpc.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { databaseTime } from '../../platform/time/database-time.js';
import { type Criteria, ScrapeFailure } from '../scraper.js';

const LEADS_A_PAGE = 100;

@Injectable()
export class WorkerSearches {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly rpc: WorkerRpc,
  ) {}

  /** It fails with a ScrapeFailure, also if the answer breaks the contract. */
  async ask(
    type: string,
    question: Criteria & { cursor?: string | undefined },
    signal: AbortSignal,
  ): Promise<ScrapeResult> {
    const { remoteTimeoutMs: timeoutMs } = this.config;
    const command = toCommand(type, question, timeoutMs);
    const search = { queue: scrapeQueue(type), worker: type, command, timeoutMs };
    try {
      return await this.rpc.ask({ ...search, answer: ScrapeResult, adapt: adaptAnswer, signal });
    } catch (error) {
      if (!(error instanceof WorkerError)) throw error;
      throw new ScrapeFailure(error.message, { cause: error, retryable: error.code !== 'CONTRACT_BROKEN' });
    }
  }
}

function toCommand(
  type: string,
  { industry, geography, keywords, searchQuery, filters, cursor }: Criteria & { cursor?: string | undefined },
  timeout: number,
): NewScrapeCommand {
  return {
    schemaVersion: SCHEMA_VERSION,
    jobId: `scrape-${randomUUID()}`,
    sourceType: type,
    params: { industry, geography, keywords, searchQuery, filters, cursor, limit: LEADS_A_PAGE },
    timestamp: databaseTime.now().toISOString(),
    timeout,
  };
}
