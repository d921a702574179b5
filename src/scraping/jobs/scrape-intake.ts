import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { FAILED_JOBS } from '../../contracts/queues.js';
import { intakeTopology } from '../../contracts/topology.js';
import { Broker } from '../../platform/broker/broker.js';
import { DeadMessages } from '../../platform/broker/dead-messages.js';
import { Declarations } from '../../platform/broker/declarations.js';
import { tracedMessages } from '../../platform/broker/queue-consumer.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { runsQueue } from '../../platform/jobs/job-handler.js';
import { scrapePartJob } from './scrape.job.js';
import { ScrapeMessages } from './scrape-messages.js';

@Injectable()
export class ScrapeIntake implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly broker: Broker,
    private readonly declarations: Declarations,
    private readonly deadMessages: DeadMessages,
    private readonly messages: ScrapeMessages,
  ) {}

  onModuleInit() {
    this.declarations.want(intakeTopology(this.config));
  }

  onApplicationBootstrap() {
    if (!this.broker.isConfigured) return;
    const { scrapeIntake, scrapeQueue, scrapePrefetch } = this.config;
    const take = tracedMessages(scrapeQueue, (message) => this.messages.take(message));
    if (scrapeIntake === 'on' && runsQueue(this.config, scrapePartJob.name))
      this.broker.consume(scrapeQueue, scrapePrefetch, take);
    this.deadMessages.collect(FAILED_JOBS, { from: scrapeQueue });
  }
}
