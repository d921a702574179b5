import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { Database } from '../database/database.js';
import { recordDeadLetter } from '../jobs/dead-letters/record-dead-letter.js';
import { databaseTime } from '../time/database-time.js';
import { Broker } from './broker.js';
import { type DeadMessage, toDeadMessage } from './dead-message.js';
import { fingerprint } from './kept-body.js';
import type { RawMessage } from './raw-bodies.js';
import { tracedMessages } from './traced-messages.js';

const PREFETCH = 10;
/** PostgreSQL cannot index long texts. */
const MAX_SUBJECT_LENGTH = 200;

interface CollectOptions {
  /**
   * Returns the subject of a message. Messages with one subject share an open letter, which shows the first of them.
   * The default is a hash of the body.
   */
  subjectOf?: (message: DeadMessage) => string | undefined;
  /** The origin of messages that do not name one. */
  from?: string;
}

/** Creates dead letters from the messages of a dead-letter queue. */
@Injectable()
export class DeadMessages {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly broker: Broker,
    private readonly database: Database,
  ) {}

  /**
   * Call this when the application starts. Letters are replayed by a job that has the name of the queue and takes a
   * DeadMessage.
   */
  collect(queue: string, options: CollectOptions = {}): void {
    if (!this.broker.isConfigured || !this.config.roles.has('worker')) return;
    const record = tracedMessages(queue, (message) => this.record(queue, message, options));
    this.broker.consume(queue, PREFETCH, record);
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
