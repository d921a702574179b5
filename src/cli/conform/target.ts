import { randomUUID } from 'node:crypto';
import { Breach } from './breach.js';
import type { Answer, Kind, Wish } from './kind.js';
import { readAnswer } from './read-answer.js';
import type { Reply, WorkerLine } from './worker-line.js';

/** Posts or leads asked for unless a probe wants another number. */
export const USUAL_LIMIT = 10;

interface Heard {
  answer: Answer;
  ms: number;
  bytes: number;
}

interface TargetOptions {
  queue: string;
  exchange: string;
  kind: Kind;
  line: WorkerLine;
  /** So long each answer is waited for. */
  timeoutMs: number;
  /** An account that exists, and whether somebody said so. */
  account: string;
  accountGiven: boolean;
  unknownAccount: string;
}

/** The worker that is probed. */
export class Target {
  constructor(readonly options: TargetOptions) {}

  /** A good command, except for what is given. */
  command(wish: Partial<Wish> = {}) {
    const { kind, account, timeoutMs } = this.options;
    const jobId = `conform-${randomUUID()}`;
    return kind.command({ jobId, externalId: account, limit: USUAL_LIMIT, sentAt: new Date(), timeoutMs, ...wish });
  }

  /** The answer to a command of this kind; silence and whatever breaks the contract are breaches. */
  async ask(wish: Partial<Wish> = {}): Promise<Heard> {
    const command = this.command(wish);
    const sentAt = Date.now();
    this.send(command);
    const reply = await this.reply(command.jobId);
    return { answer: this.read(reply, command.jobId), ms: reply.at - sentAt, bytes: reply.body.length };
  }

  send(command: { jobId: string }, expiresInMs = this.options.timeoutMs): void {
    this.options.line.send({ id: command.jobId, body: command, expiresInMs });
  }

  async reply(id: string, timeoutMs = this.options.timeoutMs): Promise<Reply> {
    const { line } = this.options;
    const reply = await line.take((candidate) => this.isFor(id, candidate), timeoutMs);
    if (!reply) throw new Breach(`no answer within ${timeoutMs / 1_000} s`);
    return reply;
  }

  /** One with an id that nobody sent is meant for whoever waits. */
  isFor(id: string, { correlationId }: Reply): boolean {
    return correlationId === id || !this.options.line.isMine(correlationId);
  }

  read(reply: Reply, id: string): Answer {
    return readAnswer(reply, { id, kind: this.options.kind, echoes: ['jobId', 'sourceId'] });
  }

  /** Whether it answers a good command, with whatever, and after so many that it may have to answer first. */
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
