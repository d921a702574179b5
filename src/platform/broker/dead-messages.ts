import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CONFIG, type Config } from '../config.js';
import { Database } from '../database/database.js';
import { recordDeadLetter } from '../jobs/dead-letters/record-dead-letter.js';
import { runsQueue } from '../jobs/job-handler.js';
import { GiveUp, RetryLater } from '../jobs/outcomes.js';
import { databaseTime } from '../time/database-time.js';
import { Broker } from './broker.js';
import { BrokerError } from './broker-error.js';
import { type CauseOfDeath, causeOfDeath } from './cause-of-death.js';
import { bytesOf, fingerprint, KeptBody, keepBody } from './kept-body.js';
import { carried, KeptHeaders, keptHeaders } from './message-properties.js';
import { tracedMessages } from './queue-consumer.js';
import type { RawMessage } from './raw-bodies.js';

const PREFETCH = 10;
const RETRY_MS = 30_000;
/** PostgreSQL cannot index long texts. */
const MAX_SUBJECT_LENGTH = 200;

export const DeadMessage = z.object({
  exchange: z.string(),
  routingKey: z.string(),
  ...KeptBody.shape,
  headers: KeptHeaders,
  contentType: z.string().optional(),
  contentEncoding: z.string().optional(),
  messageId: z.string().optional(),
  correlationId: z.string().optional(),
  deliveryCount: z.int().optional(),
});
export type DeadMessage = z.infer<typeof DeadMessage>;

interface CollectOptions {
  /** Messages with one subject share an open letter. The default is a hash of the body. */
  subjectOf?: (message: DeadMessage) => string | undefined;
  from?: string;
}

@Injectable()
export class DeadMessages {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly broker: Broker,
    private readonly database: Database,
  ) {}

  /** A job with the name of the queue replays the letters, so the processes that run it also collect them. */
  collect(queue: string, options: CollectOptions = {}): void {
    if (!this.broker.isConfigured || !runsQueue(this.config, queue)) return;
    const record = tracedMessages(queue, (message) => this.record(queue, message, options));
    this.broker.consume(queue, PREFETCH, record);
  }

  async republish(queue: string, message: DeadMessage): Promise<void> {
    if (message.truncated)
      throw new GiveUp(`only the beginning of its ${message.bytes} bytes was kept: its sender has to send it again`);
    const envelope = { exchange: '', routingKey: queue, headers: message.headers, ...carried(message) };
    try {
      await this.broker.publish(envelope, bytesOf(message));
    } catch (error) {
      throw asOutcome(error);
    }
  }

  private async record(queue: string, message: RawMessage, { subjectOf, from }: CollectOptions): Promise<void> {
    const { dead, cause } = toDeadMessage(message);
    const subject = subjectOf?.(dead) ?? fingerprint(dead);
    await this.database.transaction((db) =>
      recordDeadLetter(db, {
        queue,
        jobName: cause.queue ?? from ?? 'message',
        subject: subject.length > MAX_SUBJECT_LENGTH ? createHash('sha256').update(subject).digest('hex') : subject,
        payload: dead,
        isReplayedFromPayload: true,
        history: [{ at: databaseTime.now().toISOString(), reason: cause.reason }],
      }),
    );
  }
}

/** Never fails, whatever the message contains. */
export function toDeadMessage(message: RawMessage): { dead: DeadMessage; cause: CauseOfDeath } {
  const cause = causeOfDeath(message.headers);
  const dead = {
    exchange: cause.exchange ?? message.exchange,
    routingKey: cause.routingKey ?? message.routingKey,
    ...keepBody(message.body),
    headers: keptHeaders(message.headers),
    ...carried(message),
    ...(cause.deliveryCount !== undefined && { deliveryCount: cause.deliveryCount }),
  };
  return { dead, cause };
}

function asOutcome(error: unknown): unknown {
  if (!(error instanceof BrokerError)) return error;
  if (error.code === 'NO_QUEUE') return new GiveUp(error.message);
  return new RetryLater(new Date(databaseTime.nowMs() + RETRY_MS), error.message);
}
