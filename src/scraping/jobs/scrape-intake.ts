import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { UsersStore } from '../../auth/users/users.store.js';
import { DEAD_LETTER_EXCHANGE, FAILED_JOBS, SCRAPE_JOBS } from '../../contracts/queues.js';
import { intakeTopology } from '../../contracts/topology.js';
import { Broker } from '../../platform/broker/broker.js';
import { REASON_HEADER, shortened } from '../../platform/broker/cause-of-death.js';
import { DeadMessages } from '../../platform/broker/dead-messages.js';
import { Declarations } from '../../platform/broker/declarations.js';
import { carried, keptHeaders } from '../../platform/broker/message-properties.js';
import type { RawMessage } from '../../platform/broker/raw-bodies.js';
import { tracedMessages } from '../../platform/broker/traced-messages.js';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.token.js';
import type { Log } from '../../platform/log/log.js';
import { LOG } from '../../platform/log/log.token.js';
import { ScrapeTypes } from '../scrape-types.js';
import { readScrapeJob } from './read-scrape-job.js';
import { ScrapeJobs } from './scrape-jobs.js';

/**
 * Makes scrape jobs of the messages that other services send. A message is acknowledged once its job is stored or, if it
 * breaks the contract, once it is in `failed_jobs`; until then it is tried again. The same `job_id` again is the same job.
 */
@Injectable()
export class ScrapeIntake implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly broker: Broker,
    private readonly declarations: Declarations,
    private readonly deadMessages: DeadMessages,
    private readonly users: UsersStore,
    private readonly types: ScrapeTypes,
    private readonly jobs: ScrapeJobs,
  ) {}

  onModuleInit() {
    const { exchanges, queues } = intakeTopology(this.config);
    // Senders may have declared them as they like: only what is in them matters here.
    this.declarations.want({ exchanges, queues: queues.map((queue) => ({ ...queue, usedAsItIs: true })) });
  }

  onApplicationBootstrap() {
    if (!this.broker.isConfigured || !this.config.roles.has('worker')) return;
    const take = tracedMessages(SCRAPE_JOBS, (message) => this.take(message));
    this.broker.consume(SCRAPE_JOBS, this.config.scrapePrefetch, take);
    this.deadMessages.collect(FAILED_JOBS, { from: SCRAPE_JOBS });
  }

  private async take(message: RawMessage): Promise<void> {
    const reading = await readScrapeJob(message.body, this.types);
    if ('breach' in reading) return this.refuse(message, reading.breach);
    const { job_id: jobId, user_id, schema_version: _, ...criteria } = reading.job;
    const isNew = await this.jobs.take({ ...criteria, jobId, userId: await this.users.ensure(user_id) });
    this.log.info({ jobId }, isNew ? 'scrape job received' : 'scrape job received again');
  }

  private async refuse(message: RawMessage, breach: string): Promise<void> {
    const headers = { ...keptHeaders(message.headers), [REASON_HEADER]: shortened(breach) };
    const to = { exchange: DEAD_LETTER_EXCHANGE, routingKey: FAILED_JOBS };
    try {
      await this.broker.publish({ ...to, ...carried(message), headers }, message.body);
    } catch (error) {
      // Somebody may have deleted the queue; the message is tried again after it was made anew.
      await this.declarations.declareAll();
      throw error;
    }
    this.log.warn({ messageId: message.messageId, breach }, 'a message is no scrape job');
  }
}
