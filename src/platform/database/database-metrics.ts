import { Injectable } from '@nestjs/common';
import { Metrics } from '../metrics/metrics.js';
import { Database } from './database.js';

@Injectable()
export class DatabaseMetrics {
  constructor({ pool }: Database, metrics: Metrics) {
    metrics.gauge({
      name: 'database_connections',
      help: 'Connections to PostgreSQL, idle or busy, and those who wait for one.',
      labels: ['state'],
      read: () => [
        { state: 'idle', value: pool.idleCount },
        { state: 'busy', value: pool.totalCount - pool.idleCount },
        { state: 'waiting', value: pool.waitingCount },
      ],
    });
  }
}
