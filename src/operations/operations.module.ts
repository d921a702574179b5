import { Module } from '@nestjs/common';
import { AlertNotices } from './alert-notices.js';
import { AlertNoticesStore } from './alert-notices.store.js';
import { AlertWebhook } from './alert-webhook.js';
import { AlertsStore } from './alerts.store.js';
import { Canaries } from './canaries.js';
import { CanariesStore } from './canaries.store.js';
import { DatabaseAlert } from './database-alert.js';
import { DeadLetterReplay } from './dead-letter-replay.js';
import { DeadLettersController } from './dead-letters.controller.js';
import { DeadLettersStore } from './dead-letters.store.js';
import { Dependencies } from './dependencies.js';
import { FleetMetrics } from './fleet-metrics.js';
import { Health } from './health.js';
import { HealthReportController } from './health-report.controller.js';
import { Heartbeat } from './heartbeat.js';
import { HostsController } from './hosts.controller.js';
import { HostsStore } from './hosts.store.js';
import { JobMinutesStore } from './job-minutes.store.js';
import { LiveHealth } from './live-health.js';
import { MetricsController } from './metrics.controller.js';
import { NoticeMetrics } from './notice-metrics.js';
import { ProcessReports } from './process-reports.js';
import { QueueReadiness } from './queue-readiness.js';
import { QueuesController } from './queues.controller.js';
import { Queues } from './queues.js';
import { RecentFacts } from './recent-facts.js';
import { ResolutionReadiness } from './resolution-readiness.js';
import { RunsController } from './runs.controller.js';
import { WorkMinutesStore } from './work-minutes.store.js';
import { WorkersController } from './workers.controller.js';
import { WorkersStore } from './workers.store.js';

@Module({
  controllers: [
    DeadLettersController,
    HealthReportController,
    HostsController,
    MetricsController,
    QueuesController,
    RunsController,
    WorkersController,
  ],
  providers: [
    ...[DeadLettersStore, DeadLetterReplay],
    ...[Queues, QueueReadiness, ResolutionReadiness, JobMinutesStore, WorkMinutesStore, HostsStore],
    ...[WorkersStore, Heartbeat, ProcessReports, CanariesStore, Canaries],
    ...[Health, LiveHealth, Dependencies, RecentFacts, AlertsStore],
    ...[AlertWebhook, AlertNoticesStore, AlertNotices, DatabaseAlert],
    ...[FleetMetrics, NoticeMetrics],
  ],
})
export class OperationsModule {}
