import { Module } from '@nestjs/common';
import { AlertNotices } from './alerts/alert-notices.js';
import { AlertNoticesStore } from './alerts/alert-notices.store.js';
import { AlertWebhook } from './alerts/alert-webhook.js';
import { AlertsStore } from './alerts/alerts.store.js';
import { BrokerCanary } from './canaries/broker-canary.js';
import { CANARY_SENDERS, Canaries, type CanarySender } from './canaries/canaries.js';
import { CanariesStore } from './canaries/canaries.store.js';
import { QueueCanaries } from './canaries/queue-canaries.js';
import { DeadLetterReplay } from './dead-letters/dead-letter-replay.js';
import { DeadLettersController } from './dead-letters/dead-letters.controller.js';
import { DeadLettersStore } from './dead-letters/dead-letters.store.js';
import { ReplayQueue } from './dead-letters/replay-queue.js';
import { Dependencies } from './health/dependencies.js';
import { FeaturesHealth } from './health/features-health.js';
import { Health } from './health/health.js';
import { HealthReportController } from './health/health-report.controller.js';
import { JobFigures } from './health/job-figures.js';
import { LiveHealth } from './health/live-health.js';
import { Measurements } from './health/measurements.js';
import { QueueReadiness } from './health/queue-readiness.js';
import { ResolutionReadiness } from './health/resolution-readiness.js';
import { HostsController } from './hosts/hosts.controller.js';
import { HostsStore } from './hosts/hosts.store.js';
import { FleetMetrics } from './metrics/fleet-metrics.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { RunCountsStore } from './metrics/run-counts.store.js';
import { BrokerQueues } from './queues/broker-queues.js';
import { QueueViews } from './queues/queue-views.js';
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
    ReplayQueue,
    Queues,
    QueueViews,
    BrokerQueues,
    QueueReadiness,
    ResolutionReadiness,
    RunCountsStore,
    HostsStore,
    WorkersStore,
    Heartbeat,
    ProcessReports,
    CanariesStore,
    Canaries,
    QueueCanaries,
    BrokerCanary,
    {
      provide: CANARY_SENDERS,
      inject: [QueueCanaries, BrokerCanary],
      useFactory: (...senders: CanarySender[]) => senders,
    },
    Health,
    LiveHealth,
    Dependencies,
    FeaturesHealth,
    JobFigures,
    Measurements,
    AlertsStore,
    AlertWebhook,
    AlertNoticesStore,
    AlertNotices,
    FleetMetrics,
  ],
})
export class OperationsModule {}
