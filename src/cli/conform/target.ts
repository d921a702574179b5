import { randomUUID } from 'node:crypto';
import { readAnswer } from './answer.js';
import { Breach } from './breach.js';
import type { CommandClient, Reply } from './command-client.js';
import type { Answer, CommandFields, Kind } from './kind.js';

/** The number of posts or leads that a command asks for. */
export const DEFAULT_LIMIT = 10;

interface TimedAnswer {
  answer: Answer;
  ms: number;
  bytes: number;
}

interface TargetOptions {
  queue: string;
  exchange: string;
  kind: Kind;
  client: CommandClient;
  /** How long to wait for each answer. */
  timeoutMs: number;
  account: string;
  /** Whether the user named the account. Otherwise it may not exist. */
  accountGiven: boolean;
  unknownAccount: string;
}

export class Target {
  private readonly preferred = new Set<string>();

  constructor(readonly options: TargetOptions) {}

  /** Makes a good command, except for the given fields. */
  command(fields: Partial<CommandFields> = {}) {
    const { kind, account, timeoutMs } = this.options;
    const jobId = `conform-${randomUUID()}`;
    return kind.command({ jobId, externalId: account, limit: DEFAULT_LIMIT, sentAt: new Date(), timeoutMs, ...fields });
  }

  /** Sends a command and reads the answer. Silence is a breach, too. */
  async ask(fields: Partial<CommandFields> = {}): Promise<TimedAnswer> {
    const command = this.command(fields);
    const sentAt = Date.now();
    this.send(command);
    const reply = await this.reply(command.jobId);
    return { answer: this.read(reply, command.jobId), ms: reply.at - sentAt, bytes: reply.body.length };
  }

  send(command: { jobId: string }, expiresInMs = this.options.timeoutMs): void {
    this.options.client.send({ id: command.jobId, body: command, expiresInMs });
  }

  async reply(id: string, timeoutMs = this.options.timeoutMs): Promise<Reply> {
    const { client } = this.options;
    const reply = await client.take((candidate) => this.isFor(id, candidate), timeoutMs);
    if (!reply) throw new Breach(`no answer within ${timeoutMs / 1_000} s`);
    return reply;
  }

  /** A reply whose id was never sent counts as an answer to the current command. */
  isFor(id: string, { correlationId }: Reply): boolean {
    return correlationId === id || !this.options.client.hasSent(correlationId);
  }

  read(reply: Reply, id: string): Answer {
    return readAnswer(reply, { id, kind: this.options.kind, echoes: ['jobId', 'sourceId'], onAdapted: this.onAdapted });
  }

  readonly onAdapted = (preferred: string[]): void => {
    for (const form of preferred) this.preferred.add(form);
  };

  /** Returns what the worker should rather send, as seen since the last call. */
  takePreferred(): string[] {
    const preferred = [...this.preferred];
    this.preferred.clear();
    return preferred;
  }

  /** Returns whether the worker answers a good command at all. It may first have to answer `after` others. */
  async answers({ after = 0 } = {}): Promise<boolean> {
    const timeoutMs = (after + 1) * this.options.timeoutMs;
    const command = this.command({ timeoutMs });
    this.send(command, timeoutMs);
    try {
      await this.reply(command.jobId, timeoutMs);
      return true;
    } catch (error) {
      if (error instanceof Breach) return false;
      throw error;
    }
  }
}

/** One requirement of the contract. A probe passes by returning what it saw, otherwise it throws a `Breach` or `NotProbed`. */
export interface Probe {
  /** The name for `--only`. */
  name: string;
  checks: string;
  /** The probe is skipped if the worker did not answer the good command with success. */
  needsGoodCommand?: boolean;
  run(target: Target): Promise<string>;
}
