import { Injectable } from '@nestjs/common';
import { Metrics } from '../metrics/metrics.js';
import { BrokerError, type BrokerErrorCode } from './broker-error.js';

type Outcome = 'timeout' | 'no_worker' | 'lost' | 'refused';

const OUTCOMES: Record<BrokerErrorCode, Outcome> = {
  NO_ANSWER: 'timeout',
  NO_QUEUE: 'no_worker',
  NO_WORKER: 'no_worker',
  NOT_CONFIGURED: 'lost',
  UNREACHABLE: 'lost',
  ANSWER_TOO_LARGE: 'refused',
};

@Injectable()
export class RpcMetrics {
  private readonly calls;
  private readonly dropped;

  constructor(metrics: Metrics) {
    this.calls = metrics.histogram({
      name: 'rpc_duration_seconds',
      help: 'Calls to workers over RabbitMQ, from the call to its end, by how they ended.',
      labels: ['queue', 'outcome'],
      buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 30, 60],
    });
    this.dropped = metrics.counter({
      name: 'rpc_answers_dropped_total',
      help: 'Answers that nobody waited for any more, or ever.',
      labels: ['reason'],
      known: { reason: ['late', 'unknown'] },
    });
  }

  async time<T>(queue: string, call: Promise<T>): Promise<T> {
    const begun = performance.now();
    const ended = (outcome: string) => this.calls.observe({ queue, outcome }, (performance.now() - begun) / 1_000);
    try {
      const answer = await call;
      ended('answered');
      return answer;
    } catch (error) {
      // Any other error means that the caller cancelled the call.
      ended(error instanceof BrokerError ? OUTCOMES[error.code] : 'aborted');
      throw error;
    }
  }

  drop(reason: 'late' | 'unknown'): void {
    this.dropped.inc({ reason });
  }
}
