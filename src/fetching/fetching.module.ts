import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { DEAD_COMMANDS } from '../contracts/queues.js';
import { commandTopology } from '../contracts/topology.js';
import { Declarations } from '../platform/broker/declarations.js';
import { CONFIG, type Config } from '../platform/config.js';
import { PostsModule } from '../posts/posts.module.js';
import { SourcesModule } from '../sources/sources.module.js';
import { DueFetches } from './fetching-health.js';
import { FreshnessHours } from './freshness-figures/freshness-hours.js';
import { INTERVAL_RULES, intervalRules } from './intervals/interval-rules.js';
import { FeedParser } from './parsing/feed-parser.js';
import { DeadCommandsWorker } from './remote/dead-commands.worker.js';
import { ReturnedWorkers } from './remote/returned-workers.js';
import { EndedFetches } from './run/ended-fetches.js';
import { FeedDigestsStore } from './run/feed-digests.store.js';
import { FetchWorker } from './run/fetch.worker.js';
import { FetchLog } from './run/fetch-log.js';
import { FetchMetrics } from './run/fetch-metrics.js';
import { FetchPage } from './run/fetch-page.js';
import { FetchSaver } from './run/fetch-saver.js';
import { FetchStatesStore } from './run/fetch-states.store.js';
import { FetchesController } from './run/fetches.controller.js';
import { SourceMoves } from './run/source-moves.js';
import { ActiveFollowers } from './schedule/active-followers.js';
import { Schedules } from './schedule/explain-schedule.js';
import { FetchScheduler } from './schedule/fetch-scheduler.js';
import { FirstFetch } from './schedule/first-fetch.js';
import { Freshness } from './schedule/freshness.js';
import { LivePrices } from './schedule/live-prices.js';
import { Recount } from './schedule/recount.js';
import { RequestPrices } from './schedule/request-prices.js';
import { ScheduleController } from './schedule/schedule.controller.js';
import { SourceCatalogue } from './source-catalogue.js';
import { AskHubWorker } from './websub/ask-hub.worker.js';
import { CallbackRoutes } from './websub/callback.routes.js';
import { HubNews } from './websub/hub-news.js';
import { HubScheduler } from './websub/hub-scheduler.js';
import { Pings } from './websub/pings.js';
import { PushMetrics } from './websub/push-metrics.js';
import { PushedSources } from './websub/pushed-sources.js';
import { Pushes } from './websub/pushes.js';
import { SubscriptionsStore } from './websub/subscriptions.store.js';
import { Verifications } from './websub/verifications.js';

/** Decides when each source is fetched, and fetches it. */
@Module({
  imports: [SourcesModule, PostsModule],
  controllers: [ScheduleController, FetchesController],
  providers: [
    { provide: INTERVAL_RULES, inject: [CONFIG], useFactory: intervalRules },
    ActiveFollowers,
    DeadCommandsWorker,
    DueFetches,
    FeedDigestsStore,
    FeedParser,
    FetchLog,
    FetchMetrics,
    FetchPage,
    FetchSaver,
    FetchScheduler,
    FetchStatesStore,
    FetchWorker,
    FirstFetch,
    Freshness,
    FreshnessHours,
    LivePrices,
    EndedFetches,
    Recount,
    RequestPrices,
    ReturnedWorkers,
    Schedules,
    SourceCatalogue,
    SourceMoves,
    AskHubWorker,
    CallbackRoutes,
    HubNews,
    HubScheduler,
    Pings,
    PushMetrics,
    PushedSources,
    Pushes,
    SubscriptionsStore,
    Verifications,
  ],
  exports: [ActiveFollowers, FetchPage, FirstFetch, Freshness, Schedules, SourceCatalogue, SourceMoves],
})
export class FetchingModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly declarations: Declarations,
  ) {}

  onModuleInit() {
    const { exchanges, queues } = commandTopology(this.config);
    // The dead command queue is used with whatever arguments it was declared, so that existing queues keep working.
    const declared = queues.map((queue) => ({ ...queue, usedAsItIs: queue.name === DEAD_COMMANDS }));
    this.declarations.want({ exchanges, queues: declared });
  }
}
