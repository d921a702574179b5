import { randomUUID } from 'node:crypto';
import { adaptAnswer } from '../../contracts/adapt-answer.js';
import type { NewFetchCommand } from '../../contracts/fetch-command.js';
import { FetchResult } from '../../contracts/fetch-result.js';
import { SCHEMA_VERSION } from '../../contracts/fields.js';
import { fetchQueue } from '../../contracts/queues.js';
import { URGENT_PRIORITY } from '../../contracts/topology.js';
import { WorkerError, type WorkerRpc } from '../../platform/broker/worker-rpc.js';
import { databaseTime } from '../../platform/time/database-time.js';
import { type FetchCommand, FetchFailure, NoWorker } from '../fetcher.js';

interface RemoteFetch {
  type: string;
  command: FetchCommand;
  timeoutMs: number;
}

export async function askWorker(rpc: WorkerRpc, { type, command, timeoutMs }: RemoteFetch): Promise<FetchResult> {
  const message = toMessage({ type, command, timeoutMs });
  try {
    return await rpc.ask({
      queue: fetchQueue(type),
      worker: type,
      command: message,
      timeoutMs,
      priority: command.isUrgent ? URGENT_PRIORITY : undefined,
      answer: FetchResult,
      adapt: adaptAnswer,
      breachOf: (answer) => breachOf(answer, message),
      signal: command.signal,
    });
  } catch (error) {
    throw error instanceof WorkerError ? toFetchError(error) : error;
  }
}

function toMessage({ type, command, timeoutMs }: RemoteFetch): NewFetchCommand {
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
    timeout: timeoutMs,
  };
}

function breachOf(result: FetchResult, { sourceId }: NewFetchCommand): string | undefined {
  if (result.sourceId !== sourceId) return `sourceId: it answers for another source (${result.sourceId})`;
  if (result.status === 'success' && result.data.hasMore && result.data.nextCursor === undefined)
    return 'data.nextCursor: it is missing, though hasMore says that there are older posts';
  return undefined;
}

function toFetchError(error: WorkerError): Error {
  const { code, message } = error;
  if (code === 'UNAVAILABLE') return new NoWorker(message, { cause: error });
  if (code === 'TIMEOUT') return new FetchFailure('TIMEOUT_ERROR', message, { cause: error, retryable: true });
  return new FetchFailure('INVALID_CONTENT', message, { cause: error });
}
