import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { commandTopology } from '../contracts/topology.js';
import { Declarations } from '../platform/broker/declarations.js';
import { CONFIG, type Config } from '../platform/config.js';
import { PostsModule } from '../posts/posts.module.js';
import { SourcesModule } from '../sources/sources.module.js';
import { DueFetches } from './fetching-health.js';
import { FreshnessHours } from './freshness-figures/freshness-hours.js';
import { IconWorker } from './icons/icon.worker.js';
import { IconFinder } from './icons/icon-finder.js';
import { IconScheduler } from './icons/icon-scheduler.js';
import { IconsController } from './icons/icons.controller.js';
import { IconsStore } from './icons/icons.store.js';
import { INTERVAL_RULES, intervalRules } from './intervals/interval-rules.js';
import { FeedParser } from './parsing/feed-parser.js';
import { DeadCommandsWorker } from './remote/dead-commands.worker.js';
import { ReturnedWorkers } from './remote/returned-workers.js';
import { FetchWorker } from './run/fetch.worker.js';
import { FetchPage } from './run/fetch-page.js';
import { FetchRecorder } from './run/fetch-recorder.js';
import { FetchStatesStore } from './run/fetch-states.store.js';
import { FetchStatistics } from './run/fetch-statistics.js';
import { FetcherToolbox } from './run/fetcher-toolbox.js';
import { FetchesController } from './run/fetches.controller.js';
import { KeptFields } from './run/kept-fields.js';
import { SourceMoves } from './run/source-moves.js';
import { ActiveFollowers } from './schedule/active-followers.js';
import { Schedules } from './schedule/explain-schedule.js';
import { FetchScheduler } from './schedule/fetch-scheduler.js';
import { FirstFetch } from './schedule/first-fetch.js';
import { Freshness } from './schedule/freshness.js';
import { LivePrices } from './schedule/live-prices.js';
import { Recount } from './schedule/recount.js';
import { RecountScheduler } from './schedule/recount-scheduler.js';
import { RequestPrices } from './schedule/request-prices.js';
import { RequestedFetches } from './schedule/requested-fetches.js';
import { ScheduleController } from './schedule/schedule.controller.js';
import { SourceCatalogue } from './source-catalogue.js';
import { AskHubWorker } from './websub/ask-hub.worker.js';
import { CallbackRoutes } from './websub/callback.routes.js';
import { Deliveries } from './websub/deliveries.js';
import { HubJobs } from './websub/hub-jobs.js';
import { HubNews } from './websub/hub-news.js';
import { HubScheduler } from './websub/hub-scheduler.js';
import { PushMetrics } from './websub/push-metrics.js';
import { PushedSources } from './websub/pushed-sources.js';
import { Pushes } from './websub/pushes.js';
import { SubscriptionCare } from './websub/subscription-care.js';
import { SubscriptionsStore } from './websub/subscriptions.store.js';
import { Verifications } from './websub/verifications.js';

@Module({
  imports: [SourcesModule, PostsModule],
  controllers: [ScheduleController, FetchesController, IconsController],
  providers: [
    { provide: INTERVAL_RULES, inject: [CONFIG], useFactory: intervalRules },
    ActiveFollowers,
    DeadCommandsWorker,
    DueFetches,
    FeedParser,
    FetchPage,
    KeptFields,
    FetchRecorder,
    FetchScheduler,
    FetchStatesStore,
    FetchStatistics,
    FetcherToolbox,
    FetchWorker,
    FirstFetch,
    Freshness,
    FreshnessHours,
    IconFinder,
    IconScheduler,
    IconsStore,
    IconWorker,
    LivePrices,
    Recount,
    RecountScheduler,
    RequestPrices,
    RequestedFetches,
    ReturnedWorkers,
    Schedules,
    SourceCatalogue,
    SourceMoves,
    AskHubWorker,
    CallbackRoutes,
    Deliveries,
    HubJobs,
    HubNews,
    HubScheduler,
    PushMetrics,
    PushedSources,
    Pushes,
    SubscriptionCare,
    SubscriptionsStore,
    Verifications,
  ],
  exports: [
    ActiveFollowers,
    FetchPage,
    FetcherToolbox,
    FirstFetch,
    Freshness,
    KeptFields,
    Schedules,
    SourceCatalogue,
    SourceMoves,
  ],
})
export class FetchingModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly declarations: Declarations,
  ) {}

  onModuleInit() {
    this.declarations.want(commandTopology(this.config));
  }
}
