import { Inject, Injectable } from '@nestjs/common';
import { ExternalId } from '../../auth/authenticator.js';
import { ScrapeJobMessage } from '../../contracts/scrape-job-message.js';
import { breaches } from '../../platform/broker/breaches.js';
import type { RawMessage } from '../../platform/broker/raw-bodies.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { redactValue } from '../../platform/redact.js';
import { ScraperRunner } from '../scraper-runner.js';
import { parseMessage, RefusedMessages } from './refused-messages.js';
import { UNSTORABLE, unstorableFields } from './scrape-criteria.js';
import { ScrapeJobs } from './scrape-jobs.js';

/** These limits only bound the cost of reading. Validation names the field that breaks the contract. */
const LIMITS = { maxBytes: 1024 * 1024, maxDepth: 1_000, maxValues: 50_000, maxItems: 20_000 };

const MAX_LOGGED_KEYWORDS = 20;
/** Characters of JSON. */
const MAX_LOGGED_FILTERS = 1_000;

/** A message is acknowledged once its job is stored or it is in `failed_jobs`. A repeated `job_id` is the same job. */
@Injectable()
export class ScrapeMessages {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly refused: RefusedMessages,
    private readonly scrapers: ScraperRunner,
    private readonly jobs: ScrapeJobs,
  ) {}

  async take(message: RawMessage): Promise<void> {
    const read = await readScrapeJob(message.body, this.scrapers);
    if ('breach' in read) return this.refused.refuse(this.config.scrapeQueue, message, read.breach);
    const { job_id: jobId } = read.job;
    const isNew = await this.jobs.receive(read.job);
    const event = isNew ? 'scrape_job_received' : 'scrape_job_repeated';
    const facts = { event, jobId, criteria: loggedCriteria(read.job) };
    this.log.info(facts, isNew ? 'Received a scrape job' : 'Received a scrape job again');
  }
}

/** A message may have up to 1 MB. Names of filters tell which of their values are secret. */
function loggedCriteria(job: ScrapeJobMessage): object {
  const { schema_version: _version, job_id: _jobId, keywords, filters, ...criteria } = job;
  const shown = redactValue(filters);
  return {
    ...criteria,
    keywords: keywords.slice(0, MAX_LOGGED_KEYWORDS),
    filters: JSON.stringify(shown).length > MAX_LOGGED_FILTERS ? 'too long for the log' : shown,
  };
}

type ReadMessage = { job: ScrapeJobMessage } | { breach: string };

export async function readScrapeJob(body: Buffer, scrapers: Pick<ScraperRunner, 'refusals'>): Promise<ReadMessage> {
  const parsed = await parseMessage(body, LIMITS);
  if ('breach' in parsed) return parsed;
  const checked = ScrapeJobMessage.superRefine((job, context) => {
    for (const [path, message] of problemsOf(job, scrapers)) context.addIssue({ code: 'custom', path, message });
  }).safeParse(parsed.value);
  return checked.success ? { job: checked.data } : { breach: breaches(checked.error) };
}

type Problem = [path: (string | number)[], message: string];

/** The contract leaves these checks to the receiver. */
function problemsOf(job: ScrapeJobMessage, scrapers: Pick<ScraperRunner, 'refusals'>): Problem[] {
  const user = ExternalId.safeParse(job.user_id);
  const refused = scrapers.refusals(job).map(({ path, message }): Problem => [path, message]);
  const unstorable = unstorableFields(job).map((field): Problem => [[field], UNSTORABLE]);
  return [
    ...(user.success ? [] : [[['user_id'], user.error.issues[0]?.message ?? 'not a user id'] satisfies Problem]),
    ...refused,
    ...unstorable,
  ];
}
