import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SCHEMA_VERSION } from '../../contracts/fields.js';
import { scrapeQueue } from '../../contracts/queues.js';
import { readAnswer } from '../../contracts/read-answer.js';
import type { NewScrapeCommand } from '../../contracts/scrape-command.js';
import { ScrapeResult } from '../../contracts/scrape-result.js';
import { BrokerError } from '../../platform/broker/broker-error.js';
import { Rpc } from '../../platform/broker/rpc.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { parseRemoteJson } from '../../platform/http/json-answer.js';
import { databaseTime } from '../../platform/time/database-time.js';
import { type Criteria, ScrapeFailure } from '../scraper.js';

const LEADS_A_PAGE = 100;

/** Sends searches to workers in other processes. */
@Injectable()
export class WorkerSearches {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly rpc: Rpc,
  ) {}

  /** Returns the worker's answer after checking it against the contract. It fails with a ScrapeFailure. */
  async ask(
    type: string,
    question: Criteria & { cursor?: string | undefined },
    signal: AbortSignal,
  ): Promise<ScrapeResult> {
    const timeoutMs = this.config.remoteTimeoutMs;
    const command = toCommand(type, question, timeoutMs);
    try {
      const body = await this.rpc.call(scrapeQueue(type), command, { id: command.jobId, timeoutMs, signal });
      return await checked(body, command);
    } catch (error) {
      throw error instanceof BrokerError ? toScrapeFailure(error, type) : error;
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

async function checked(body: Uint8Array, { jobId, sourceType }: NewScrapeCommand): Promise<ScrapeResult> {
  const breach = (what: string) => new ScrapeFailure(`the worker for ${sourceType} broke the contract: ${what}`);
  const read = await readAnswer(ScrapeResult, body, parseRemoteJson);
  if ('breach' in read) throw breach(read.breach);
  if (read.answer.jobId !== jobId) throw breach(`jobId: it answers another job (${read.answer.jobId})`);
  return read.answer;
}

function toScrapeFailure(error: BrokerError, type: string): ScrapeFailure {
  const { code, message } = error;
  if (code === 'ANSWER_TOO_LARGE')
    return new ScrapeFailure(`the worker for ${type} broke the contract: ${message}`, { cause: error });
  const words = code === 'NO_ANSWER' ? 'did not answer in time' : `cannot be asked: ${message}`;
  return new ScrapeFailure(`the worker for ${type} ${words}`, { cause: error, retryable: true });
}
