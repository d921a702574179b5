import { FetchCommand } from '../../src/contracts/fetch-command.js';
import type { NewFetchResult } from '../../src/contracts/fetch-result.js';
import { SCHEMA_VERSION } from '../../src/contracts/fields.js';
import { breaches } from '../../src/platform/broker/breaches.js';
import type { FoundPosts } from './ask-instagram.js';
import { WorkerFault } from './worker-fault.js';

type FetchPosts = (command: FetchCommand, signal: AbortSignal) => Promise<FoundPosts>;

interface ReceivedMessage {
  /** The message as it arrived, not validated. */
  body: unknown;
  correlationId: string;
}

/** Milliseconds that a request to Instagram may take, even if the command leaves more time. */
const REQUEST_TIMEOUT_MS = 15_000;

/** Returns the result of a command, success or error; undefined if nobody waits for it any more. */
export async function answerCommand(
  received: ReceivedMessage,
  fetchPosts: FetchPosts,
): Promise<NewFetchResult | undefined> {
  const startedAt = Date.now();
  const { body, correlationId } = received;
  const about = { schemaVersion: SCHEMA_VERSION, jobId: correlationId, sourceId: sourceOf(body) } as const;
  const took = () => ({ timestamp: new Date().toISOString(), processingTime: Date.now() - startedAt });
  try {
    const command = readCommand(body);
    const leftMs = timeLeft(command, startedAt);
    if (leftMs <= 0) return undefined;
    const data = await fetchPosts(command, AbortSignal.timeout(Math.min(leftMs, REQUEST_TIMEOUT_MS)));
    return { ...about, status: 'success', data, ...took() };
  } catch (error) {
    const { code, message, details } = asFault(error);
    return { ...about, status: 'error', error: { code, message, details }, ...took() };
  }
}

/** Workers in other projects validate against `contracts/fetch-command.schema.json`. */
function readCommand(body: unknown): FetchCommand {
  const { success, data, error } = FetchCommand.safeParse(body);
  if (!success) throw new WorkerFault('INVALID_COMMAND', breaches(error));
  return data;
}

function timeLeft({ timestamp, timeout }: FetchCommand, now: number): number {
  return timeout === undefined ? REQUEST_TIMEOUT_MS : Date.parse(timestamp) + timeout - now;
}

/** Works for an invalid command, too. */
function sourceOf(body: unknown): string {
  const { sourceId } = Object(body);
  return typeof sourceId === 'string' && sourceId ? sourceId : 'unknown';
}

function asFault(error: unknown): WorkerFault {
  if (error instanceof WorkerFault) return error;
  if (!(error instanceof Error)) return new WorkerFault('UNKNOWN_ERROR', String(error));
  if (error.name === 'TimeoutError') return new WorkerFault('TIMEOUT_ERROR', 'Instagram did not answer in time');
  // `fetch` fails with a TypeError when it cannot connect.
  if (error instanceof TypeError)
    return new WorkerFault('NETWORK_ERROR', `Instagram cannot be reached: ${error.message}`);
  return new WorkerFault('UNKNOWN_ERROR', error.message);
}
