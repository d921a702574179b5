import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { scrapersFor } from '../scrapers.js';

@Injectable()
export class LeadMetrics {
  private readonly leads;

  constructor(metrics: Metrics, @Inject(CONFIG) config: Config) {
    this.leads = metrics.counter({
      name: 'leads_found_total',
      help: 'Leads that were new to who looks for them.',
      labels: ['type'],
      known: { type: scrapersFor(config).map(({ type }) => type) },
    });
  }

  found(type: string, count: number): void {
    this.leads.inc({ type }, count);
  }
}
