import { breaches } from '../../platform/broker/breaches.js';
import { MAX_ANSWER_BYTES } from '../../platform/broker/raw-bodies.js';
import { Breach } from './breach.js';
import type { Answer, Kind } from './kind.js';
import type { Reply } from './worker-line.js';

const KB = 1024;
const MB = 1024 * KB;

export const sizeOf = (bytes: number) => (bytes < MB ? `${Math.ceil(bytes / KB)} KB` : `${(bytes / MB).toFixed(1)} MB`);

interface Expected {
  id: string;
  kind: Kind;
  /** What it must take from the command; not what the worker could not read. */
  echoes: readonly ('jobId' | 'sourceId')[];
}

/** What the engine would make of a reply. */
export function readAnswer({ correlationId, body }: Reply, { id, kind, echoes }: Expected): Answer {
  if (correlationId !== id)
    throw new Breach(`the answer's correlation id is ${shown(correlationId)}, not the command's`);
  if (body.length > MAX_ANSWER_BYTES)
    throw new Breach(`the answer has ${sizeOf(body.length)}, ${sizeOf(MAX_ANSWER_BYTES)} are allowed`);
  const { data: answer, error } = kind.read(parseJson(body));
  if (error) throw new Breach(`the answer breaks the contract: ${breaches(error)}`);
  if (echoes.includes('jobId') && answer.jobId !== id)
    throw new Breach(`the answer's jobId is ${shown(answer.jobId)}, not the command's`);
  if (echoes.includes('sourceId') && answer.sourceId !== kind.sourceId)
    throw new Breach(`the answer's sourceId is ${shown(answer.sourceId)}, not the command's`);
  return answer;
}

const shown = (value: string | undefined) => (value === undefined ? 'missing' : JSON.stringify(value));

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new Breach('the answer is not JSON in UTF-8');
  }
}
