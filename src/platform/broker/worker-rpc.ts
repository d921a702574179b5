import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { parseRemoteJson } from '../http/json-answer.js';
import { storable } from '../jobs/storable.js';
import type { Log } from '../log/log.js';
import { traced } from '../tracing/traced.js';
import { breaches } from './breaches.js';
import { BrokerError, lostBroker } from './broker-error.js';
import { MAX_ANSWER_BYTES } from './raw-bodies.js';
import type { RpcMetrics } from './rpc-metrics.js';
import { type Call, WaitingCalls } from './waiting-calls.js';

/** An answer has at most 1,000 entries, and data that a worker attaches to them may double its size. */
const ANSWER_LIMITS = { maxBytes: MAX_ANSWER_BYTES, maxDepth: 500, maxValues: 300_000, maxItems: 2_000 };

export type CreateRpc = (metrics: RpcMetrics, log: Log) => WorkerRpc;

interface WorkerRequest<Answer> {
  queue: string;
  worker: string;
  /** `jobId` is unique to this call, and the answer repeats it. */
  command: { jobId: string; sourceId?: string };
  timeoutMs: number;
  priority?: number | undefined;
  answer: z.ZodType<Answer>;
  /** Brings other forms of an answer into the form of the schema, and says what the worker should rather send. */
  adapt?: (message: unknown) => { message: unknown; preferred: string[] };
  breachOf?: (answer: Answer) => string | undefined;
  signal: AbortSignal;
}

type WorkerErrorCode =
  /** Nobody consumes from the queue, or RabbitMQ cannot be reached. The command was not carried out. */
  'UNAVAILABLE' | 'TIMEOUT' | 'CONTRACT_BROKEN';

/** A worker did not do what it was asked. An error that a worker reports in a valid answer is none of these. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError';

  constructor(
    readonly code: WorkerErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

interface WorkerAnswer {
  jobId: string;
  status?: string;
  error?: { code: string };
}

export abstract class WorkerRpc {
  abstract readonly isConfigured: boolean;
  protected readonly waiting = new WaitingCalls();

  private readonly reported = new Set<string>();

  constructor(
    protected readonly metrics: RpcMetrics,
    protected readonly log: Log,
  ) {}

  /** Returns the answer after it was validated. Fails with a WorkerError or with the signal's reason. */
  async ask<Answer extends WorkerAnswer>(request: WorkerRequest<Answer>): Promise<Answer> {
    const { queue, command, timeoutMs, priority, signal } = request;
    const log = new CommandLog(this.log, request);
    try {
      const published = () => log.published();
      const body = await this.call(queue, command, { id: command.jobId, timeoutMs, priority, signal, published });
      const { answer, preferred } = await readAnswer(body, request);
      log.answered(answer);
      this.reportAdapted(queue, preferred);
      return answer;
    } catch (error) {
      const failure = error instanceof BrokerError ? toWorkerError(error, request.worker) : error;
      log.failed(failure);
      throw failure;
    }
  }

  private reportAdapted(queue: string, preferred: string[]): void {
    for (const form of preferred) {
      const key = `${queue} ${form}`;
      if (this.reported.has(key)) continue;
      this.reported.add(key);
      this.log.info({ event: 'worker_answer_adapted', queue }, `Accepted an answer on ${queue}, prefer ${form}`);
    }
  }

  /** Returns the body of the answer. Fails with a BrokerError or with the signal's reason. */
  async call(queue: string, message: object, call: Call): Promise<Uint8Array> {
    const attributes = { 'messaging.system': 'rabbitmq', 'messaging.message.conversation_id': call.id };
    return traced({ name: `call ${queue}`, kind: 'CLIENT', attributes }, async () => {
      const answer = this.waiting.add(queue, call);
      this.send(queue, message, call).catch((error) => this.waiting.take(call.id)?.reject(asBrokerError(error)));
      return this.metrics.time(queue, answer);
    });
  }

  /** Sends the command. The receiver of the answer takes the call from `waiting` and settles it. */
  protected abstract send(queue: string, message: object, call: Call): Promise<void>;
}

export const asBrokerError = (error: unknown) => (error instanceof BrokerError ? error : lostBroker(error));

/** Logs nothing about a command that was not published. The lines of a job have its own `queue` and `jobId`. */
class CommandLog {
  private readonly facts: object;
  private publishedMs: number | undefined;

  constructor(
    private readonly log: Log,
    { queue, worker, command, timeoutMs }: Pick<WorkerRequest<unknown>, 'queue' | 'worker' | 'command' | 'timeoutMs'>,
  ) {
    const { jobId: commandId, sourceId } = command;
    this.facts = { commandQueue: queue, type: worker, commandId, sourceId, timeoutMs };
  }

  published(): void {
    this.publishedMs = performance.now();
    this.log.info({ event: 'command_published', ...this.facts }, 'Published a command to a worker');
  }

  answered({ status = 'success', error }: WorkerAnswer): void {
    this.ended({ outcome: status, code: error?.code }, 'A worker answered a command');
  }

  failed(error: unknown): void {
    const { code, message } = error instanceof WorkerError ? error : { code: 'ABORTED', message: undefined };
    this.ended({ outcome: code.toLowerCase(), reason: message }, 'A command got no valid answer');
  }

  private ended(facts: object, message: string): void {
    if (this.publishedMs === undefined) return;
    const ms = Math.round(performance.now() - this.publishedMs);
    this.log.info({ event: 'command_ended', ...this.facts, ...facts, ms }, message);
  }
}

async function readAnswer<Answer extends WorkerAnswer>(
  body: Uint8Array,
  { worker, command, answer: schema, adapt, breachOf }: WorkerRequest<Answer>,
): Promise<{ answer: Answer; preferred: string[] }> {
  const broken = (breach: string) => new WorkerError('CONTRACT_BROKEN', contractBroken(worker, breach));
  if (!isUtf8(body)) throw broken('message: not JSON, written in UTF-8');
  const parsed = await parseRemoteJson(body, { limits: ANSWER_LIMITS });
  if ('breach' in parsed) throw broken(`message: ${parsed.breach}`);
  const { message, preferred } = adapt?.(parsed.value) ?? { message: parsed.value, preferred: [] };
  const checked = schema.safeParse(message);
  if (!checked.success) throw broken(breaches(checked.error));
  const answer = storable(checked.data);
  if (answer.jobId !== command.jobId) throw broken(`jobId: it answers another job (${answer.jobId})`);
  const breach = breachOf?.(answer);
  if (breach !== undefined) throw broken(breach);
  return { answer, preferred };
}

function toWorkerError(error: BrokerError, worker: string): WorkerError {
  const { code, message } = error;
  const failed = (as: WorkerErrorCode, words: string) => new WorkerError(as, words, { cause: error });
  switch (code) {
    case 'NO_ANSWER':
      return failed('TIMEOUT', `the worker for ${worker} did not answer in time`);
    case 'ANSWER_TOO_LARGE':
      return failed('CONTRACT_BROKEN', contractBroken(worker, message));
    case 'NO_WORKER':
      return failed('UNAVAILABLE', `no worker answers for ${worker}`);
    case 'NOT_CONFIGURED':
      return failed('UNAVAILABLE', `no worker answers for ${worker}: ${message}`);
    default:
      return failed('UNAVAILABLE', `no worker can be asked for ${worker}: ${message}`);
  }
}

const contractBroken = (worker: string, breach: string) => `the worker for ${worker} broke the contract: ${breach}`;
