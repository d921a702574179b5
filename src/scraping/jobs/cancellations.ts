import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Events } from '../../platform/events/events.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { PartEnded } from '../leads/leads.store.js';
import { scrapeJobCancelled } from './scrape-jobs.events.js';
import { ScrapeJobsStore } from './scrape-jobs.store.js';

@Injectable()
export class Cancellations implements OnModuleInit {
  private readonly running = new Map<string, Set<AbortController>>();

  constructor(
    private readonly events: Events,
    private readonly jobs: ScrapeJobsStore,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onModuleInit() {
    this.events.subscribe(scrapeJobCancelled, ({ scrapeJobId }) => this.stop(scrapeJobId));
    this.events.onReconnect(() => {
      this.stopMissed().catch((err) =>
        this.log.warn({ event: 'cancellations_not_reloaded', err }, 'Could not reload cancellations'),
      );
    });
  }

  private stop(scrapeJobId: string): void {
    for (const search of this.running.get(scrapeJobId) ?? []) search.abort(new PartEnded('the job was cancelled'));
  }

  /** Stops searches whose job was cancelled while no events were received. */
  private async stopMissed(): Promise<void> {
    for (const scrapeJobId of await this.jobs.cancelledAmong([...this.running.keys()])) this.stop(scrapeJobId);
  }

  async watch<T>(scrapeJobId: string, search: (cancelled: AbortSignal) => Promise<T>): Promise<T> {
    const cancellation = new AbortController();
    const ofJob = this.running.get(scrapeJobId) ?? new Set();
    this.running.set(scrapeJobId, ofJob.add(cancellation));
    try {
      return await search(cancellation.signal);
    } finally {
      ofJob.delete(cancellation);
      if (!ofJob.size) this.running.delete(scrapeJobId);
    }
  }
}
