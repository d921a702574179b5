import { Module } from '@nestjs/common';
import { AlertsStore } from './alerts.store.js';
import { DeadLetterReplay } from './dead-letter-replay.js';
import { DeadLettersController } from './dead-letters.controller.js';
import { DeadLettersStore } from './dead-letters.store.js';
import { Dependencies } from './dependencies.js';
import { Health } from './health.js';
import { HealthReportController } from './health-report.controller.js';
import { Heartbeat } from './heartbeat.js';
import { JobMinutesStore } from './job-minutes.store.js';
import { LiveHealth } from './live-health.js';
import { MetricsController } from './metrics.controller.js';
import { QueueReadiness } from './queue-readiness.js';
import { QueuesController } from './queues.controller.js';
import { Queues } from './queues.js';
import { RecentFacts } from './recent-facts.js';
import { WorkersController } from './workers.controller.js';
import { WorkersStore } from './workers.store.js';

@Module({
  controllers: [DeadLettersController, HealthReportController, MetricsController, QueuesController, WorkersController],
  providers: [
    ...[DeadLettersStore, DeadLetterReplay],
    ...[Queues, QueueReadiness, JobMinutesStore],
    ...[WorkersStore, Heartbeat],
    ...[Health, LiveHealth, Dependencies, RecentFacts, AlertsStore],
  ],
})
export class OperationsModule {}
