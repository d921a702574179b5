import { Injectable } from '@nestjs/common';
import { Metrics } from '../metrics/metrics.js';
import { RequestFault } from './outgoing-request-error.js';

const RESULTS = ['2xx', '304', '3xx', '4xx', '429', '5xx', 'error'] as const;

@Injectable()
export class RequestMetrics {
  private readonly requests;

  constructor(metrics: Metrics) {
    this.requests = metrics.counter({
      name: 'outgoing_requests_total',
      help: 'Requests to other servers by their answer; error means that there was none that could be read.',
      labels: ['result'],
      known: { result: RESULTS },
    });
  }

  async count<T extends { status: number }>(exchange: Promise<T>): Promise<T> {
    try {
      const answer = await exchange;
      this.requests.inc({ result: resultOf(answer.status) });
      return answer;
    } catch (error) {
      // A request that we refused or cancelled is not a fault of the other server.
      if (error instanceof RequestFault && error.code !== 'ADDRESS_REFUSED') this.requests.inc({ result: 'error' });
      throw error;
    }
  }
}

function resultOf(status: number): (typeof RESULTS)[number] {
  if (status === 304 || status === 429) return `${status}`;
  if (status < 300) return '2xx';
  if (status < 400) return '3xx';
  return status < 500 ? '4xx' : '5xx';
}
