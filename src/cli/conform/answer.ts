import { isRetryable, type RemoteErrorCode } from '../../contracts/remote-error.js';
import { breaches } from '../../platform/broker/breaches.js';
import { MAX_ANSWER_BYTES } from '../../platform/broker/raw-bodies.js';
import { Breach } from './breach.js';
import type { Reply } from './command-client.js';
import type { Answer, Kind } from './kind.js';

const KB = 1024;
const MB = 1024 * KB;

export const sizeOf = (bytes: number) => (bytes < MB ? `${Math.ceil(bytes / KB)} KB` : `${(bytes / MB).toFixed(1)} MB`);

interface Expected {
  id: string;
  kind: Kind;
  /** The ids that the answer must repeat. A worker cannot repeat what it could not read. */
  echoes: readonly ('jobId' | 'sourceId')[];
  onAdapted?: ((preferred: string[]) => void) | undefined;
}

/** Reads a reply like the engine does. */
export function readAnswer({ correlationId, body }: Reply, { id, kind, echoes, onAdapted }: Expected): Answer {
  if (correlationId !== id)
    throw new Breach(`the answer's correlation id is ${shown(correlationId)}, not the command's`);
  if (body.length > MAX_ANSWER_BYTES)
    throw new Breach(`the answer has ${sizeOf(body.length)}, the maximum is ${sizeOf(MAX_ANSWER_BYTES)}`);
  const {
    checked: { data: answer, error },
    preferred,
  } = kind.read(parseJson(body));
  onAdapted?.(preferred);
  if (error) throw new Breach(`the answer breaks the contract: ${breaches(error)}`);
  if (echoes.includes('jobId') && answer.jobId !== id)
    throw new Breach(`the answer's jobId is ${shown(answer.jobId)}, not the command's`);
  if (echoes.includes('sourceId') && answer.sourceId !== kind.sourceId)
    throw new Breach(`the answer's sourceId is ${shown(answer.sourceId)}, not the command's`);
  return answer;
}

/** Returns what the error says. An error that cannot pass may not be called retryable. */
export function expectError(answer: Answer, code: RemoteErrorCode): string {
  if (answer.status === 'success') throw new Breach(`answered with success instead of ${code}`);
  const { error } = answer;
  if (error.details?.unknownCode) return `${error.details.unknownCode}: ${error.message}; accepted, prefer ${code}`;
  if (error.code !== code) throw new Breach(`answered with ${error.code} (${error.message}) instead of ${code}`);
  if (isRetryable(error)) throw new Breach(`${code} must not be retryable`);
  return `${code}: ${error.message}`;
}

const shown = (value: string | undefined) => (value === undefined ? 'missing' : JSON.stringify(value));

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new Breach('the answer is not JSON in UTF-8');
  }
}
