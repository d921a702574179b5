import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { NewFetchCommand } from '../../contracts/fetch-command.js';
import { FetchResult } from '../../contracts/fetch-result.js';
import { SCHEMA_VERSION } from '../../contracts/fields.js';
import { fetchQueue } from '../../contracts/queues.js';
import { readAnswer } from '../../contracts/read-answer.js';
import { BrokerError } from '../../platform/broker/broker-error.js';
import { Rpc } from '../../platform/broker/rpc.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { parseRemoteJson } from '../../platform/http/json-answer.js';
import { storable } from '../../platform/jobs/storable.js';
import { databaseTime } from '../../platform/time/database-time.js';
import { type FetchCommand, FetchFailure, NoWorker } from '../fetcher.js';

/** Has remote workers, in other processes and languages, fetch a page. */
@Injectable()
export class WorkerCalls {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly rpc: Rpc,
  ) {}

  /**
   * Returns the worker's answer after it was validated against the contract. Fails with NoWorker or a FetchFailure.
   */
  async fetch(type: string, command: FetchCommand): Promise<FetchResult> {
    const message = toMessage(type, command, this.config.remoteTimeoutMs);
    const call = { id: message.jobId, timeoutMs: this.config.remoteTimeoutMs, signal: command.signal };
    try {
      return await checked(await this.rpc.call(fetchQueue(type), message, call), message);
    } catch (error) {
      throw error instanceof BrokerError ? toFetchError(error, type) : error;
    }
  }
}

function toMessage(type: string, command: FetchCommand, timeout: number): NewFetchCommand {
  const { externalId, cursor, since, limit } = command;
  const { jobId, sourceId } = command.ids ?? { jobId: type, sourceId: externalId };
  return {
    schemaVersion: SCHEMA_VERSION,
    // A job makes one call per page and attempt. A unique id keeps late answers of earlier calls apart.
    jobId: `${jobId}-${randomUUID().slice(0, 13)}`,
    sourceId,
    sourceType: type,
    externalId,
    params: { cursor, since: cursor ? undefined : since?.toISOString(), limit },
    timestamp: databaseTime.now().toISOString(),
    timeout,
  };
}

async function checked(body: Uint8Array, { jobId, sourceId, sourceType }: NewFetchCommand): Promise<FetchResult> {
  const breach = (what: string) =>
    new FetchFailure('INVALID_CONTENT', `the worker for ${sourceType} broke the contract: ${what}`);
  const read = await readAnswer(FetchResult, body, parseRemoteJson);
  if ('breach' in read) throw breach(read.breach);
  const result = storable(read.answer);
  if (result.jobId !== jobId) throw breach(`jobId: it answers another job (${result.jobId})`);
  if (result.sourceId !== sourceId) throw breach(`sourceId: it answers for another source (${result.sourceId})`);
  if (result.status === 'success' && result.data.hasMore && result.data.nextCursor === undefined)
    throw breach('data.nextCursor: it is missing, though hasMore says that there are older posts');
  return result;
}

function toFetchError(error: BrokerError, type: string): Error {
  const { code, message } = error;
  const details = { cause: error };
  switch (code) {
    case 'NO_ANSWER':
      return new FetchFailure('TIMEOUT_ERROR', `the worker for ${type} did not answer in time`, {
        ...details,
        retryable: true,
      });
    case 'ANSWER_TOO_LARGE':
      return new FetchFailure('INVALID_CONTENT', `the worker for ${type} broke the contract: ${message}`, details);
    case 'NO_WORKER':
      return new NoWorker(`no worker answers for ${type}`, details);
    case 'NOT_CONFIGURED':
      return new NoWorker(`no worker answers for ${type}: ${message}`, details);
    default:
      return new NoWorker(`no worker can be asked for ${type}: ${message}`, details);
  }
}
