import { Injectable } from '@nestjs/common';
import { Metrics } from '../platform/metrics/metrics.js';
import { OUTCOMES, type Outcome } from './import-status.js';

/** Counts imported items. A failed item that a replay stores later is counted again. */
@Injectable()
export class ImportMetrics {
  private readonly items;

  constructor(metrics: Metrics) {
    this.items = metrics.counter({
      name: 'import_items_total',
      help: 'Items of imports by what became of their posts.',
      labels: ['outcome'],
      known: { outcome: [...OUTCOMES, 'failed'] },
    });
  }

  written({ stored, failed }: { stored: Outcome[]; failed: number }): void {
    for (const outcome of stored) this.items.inc({ outcome });
    this.items.inc({ outcome: 'failed' }, failed);
  }
}
