import { Module } from '@nestjs/common';
import { AlertNotices } from './alerts/alert-notices.js';
import { AlertNoticesStore } from './alerts/alert-notices.store.js';
import { AlertWebhook } from './alerts/alert-webhook.js';
import { AlertsStore } from './alerts/alerts.store.js';
import { DatabaseAlert } from './alerts/database-alert.js';
import { NoticeMetrics } from './alerts/notice-metrics.js';
import { Canaries } from './canaries/canaries.js';
import { CanariesStore } from './canaries/canaries.store.js';
import { DeadLetterReplay } from './dead-letters/dead-letter-replay.js';
import { DeadLettersController } from './dead-letters/dead-letters.controller.js';
import { DeadLettersStore } from './dead-letters/dead-letters.store.js';
import { Dependencies } from './health/dependencies.js';
import { Health } from './health/health.js';
import { HealthReportController } from './health/health-report.controller.js';
import { LiveHealth } from './health/live-health.js';
import { QueueReadiness } from './health/queue-readiness.js';
import { RecentFacts } from './health/recent-facts.js';
import { ResolutionReadiness } from './health/resolution-readiness.js';
import { HostsController } from './hosts/hosts.controller.js';
import { HostsStore } from './hosts/hosts.store.js';
import { FleetMetrics } from './metrics/fleet-metrics.js';
import { JobMinutesStore } from './metrics/job-minutes.store.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { WorkMinutesStore } from './metrics/work-minutes.store.js';
import { QueuesController } from './queues/queues.controller.js';
import { Queues } from './queues/queues.js';
import { RunsController } from './queues/runs.controller.js';
import { Heartbeat } from './workers/heartbeat.js';
import { ProcessReports } from './workers/process-reports.js';
import { WorkersController } from './workers/workers.controller.js';
import { WorkersStore } from './workers/workers.store.js';

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
    DeadLettersStore,
    DeadLetterReplay,
    Queues,
    QueueReadiness,
    ResolutionReadiness,
    JobMinutesStore,
    WorkMinutesStore,
    HostsStore,
    WorkersStore,
    Heartbeat,
    ProcessReports,
    CanariesStore,
    Canaries,
    Health,
    LiveHealth,
    Dependencies,
    RecentFacts,
    AlertsStore,
    AlertWebhook,
    AlertNoticesStore,
    AlertNotices,
    DatabaseAlert,
    FleetMetrics,
    NoticeMetrics,
  ],
})
export class OperationsModule {}
