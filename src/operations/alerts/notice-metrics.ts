import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/metrics/metrics.js';

const OUTCOMES = ['delivered', 'failed'] as const;

@Injectable()
export class NoticeMetrics {
  private readonly notices;

  constructor(metrics: Metrics) {
    this.notices = metrics.counter({
      name: 'alert_notices_total',
      help: 'Tries to tell the webhook of an alert; those that failed are made again.',
      labels: ['outcome'],
      known: { outcome: OUTCOMES },
    });
  }

  count(outcome: (typeof OUTCOMES)[number]): void {
    this.notices.inc({ outcome });
  }
}
