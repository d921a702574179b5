import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Events } from '../platform/events/events.js';
import { NoLongerWanted } from './leads/leads.store.js';
import { scrapeJobCancelled } from './scrape-job-cancelled.event.js';

/** Stops searches in this process when their job is cancelled in any. */
@Injectable()
export class Cancellations implements OnModuleInit {
  private readonly running = new Map<string, Set<AbortController>>();

  constructor(private readonly events: Events) {}

  onModuleInit() {
    this.events.subscribe(scrapeJobCancelled, ({ scrapeJobId }) => {
      for (const search of this.running.get(scrapeJobId) ?? [])
        search.abort(new NoLongerWanted('the job was cancelled'));
    });
  }

  /** Runs a search with a signal that aborts when its job is cancelled. */
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
