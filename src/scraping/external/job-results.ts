import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { adaptJobResult } from '../../contracts/adapt-job-result.js';
import { SCRAPE_RESULTS } from '../../contracts/queues.js';
import { ScrapeJobResult } from '../../contracts/scrape-job-result.js';
import { breaches } from '../../platform/broker/breaches.js';
import { Broker } from '../../platform/broker/broker.js';
import { tracedMessages } from '../../platform/broker/queue-consumer.js';
import type { RawMessage } from '../../platform/broker/raw-bodies.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { runsQueue } from '../../platform/jobs/job-handler.js';
import { storable } from '../../platform/jobs/storable.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { parseMessage, RefusedMessages } from '../jobs/refused-messages.js';
import { scrapePartJob } from '../jobs/scrape.job.js';
import { JobResultsStore } from './job-results.store.js';

/** A result has at most 1,000 leads, and data that a worker attaches to them may double its size. */
const LIMITS = { maxBytes: 10 * 1024 * 1024, maxDepth: 500, maxValues: 300_000, maxItems: 2_000 };

/** Takes the results of the worker that does the jobs which Millrace publishes. */
@Injectable()
export class JobResults implements OnApplicationBootstrap {
  private readonly reported = new Set<string>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly broker: Broker,
    private readonly refused: RefusedMessages,
    private readonly results: JobResultsStore,
  ) {}

  onApplicationBootstrap() {
    const { config, broker } = this;
    if (!broker.isConfigured || config.scrapeIntake === 'on' || !runsQueue(config, scrapePartJob.name)) return;
    const take = tracedMessages(SCRAPE_RESULTS, (message) => this.take(message));
    broker.consume(SCRAPE_RESULTS, config.scrapePrefetch, take);
  }

  private async take(message: RawMessage): Promise<void> {
    const read = await readResult(message.body);
    if ('breach' in read) return this.refuse(message, read);
    this.reportAdapted(read.preferred);
    const { job_id: jobId, status, leads } = read.result;
    const recorded = await this.results.record(read.result);
    if (recorded.kind === 'refused') return this.refused.refuse(SCRAPE_RESULTS, message, recorded.breach);
    const facts = { event: 'scrape_result_received', jobId, status, leads: leads.length, outcome: recorded.kind };
    this.log.info(facts, MESSAGES[recorded.kind]);
  }

  private async refuse(message: RawMessage, { breach, jobId }: BrokenResult): Promise<void> {
    if (jobId !== undefined) await this.results.gaveUp(jobId, breach);
    await this.refused.refuse(SCRAPE_RESULTS, message, breach);
  }

  private reportAdapted(preferred: string[]): void {
    for (const form of preferred) {
      if (this.reported.has(form)) continue;
      this.reported.add(form);
      const facts = { event: 'scrape_result_adapted', queue: SCRAPE_RESULTS };
      this.log.info(facts, `Accepted a result on ${SCRAPE_RESULTS}, prefer ${form}`);
    }
  }
}

const MESSAGES = {
  stored: 'Received a result of a scrape job',
  repeated: 'Received a result of a scrape job again',
  cancelled: 'Dropped a result of a cancelled scrape job',
};

interface BrokenResult {
  breach: string;
  jobId?: string | undefined;
}

async function readResult(body: Buffer): Promise<{ result: ScrapeJobResult; preferred: string[] } | BrokenResult> {
  const parsed = await parseMessage(body, LIMITS);
  if ('breach' in parsed) return parsed;
  const { message, preferred } = adaptJobResult(parsed.value);
  const { data, error } = ScrapeJobResult.safeParse(message);
  if (data) return { result: storable(data), preferred };
  const jobId = ScrapeJobResult.pick({ job_id: true }).safeParse(message).data?.job_id;
  return { breach: breaches(error), jobId };
}
