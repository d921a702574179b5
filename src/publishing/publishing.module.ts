import { Module } from '@nestjs/common';
import { AccountSlotsController } from './accounts/account-slots.controller.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { Accounts } from './accounts/accounts.js';
import { AccountsStore } from './accounts/accounts.store.js';
import { FreeSlots } from './accounts/free-slots.js';
import { GivenCredentials } from './accounts/given-credentials.js';
import { OpenAccounts } from './accounts/open-accounts.js';
import { Resealing } from './accounts/resealing.js';
import { Secrets } from './accounts/secrets.js';
import { PlatformSlotsStore } from './limits/platform-slots.store.js';
import { PublishPools } from './limits/publish-pools.js';
import { RoomMetrics } from './limits/room-metrics.js';
import { PlatformsController } from './platforms.controller.js';
import { Cancellation } from './publications/cancellation.js';
import { ContentChecks } from './publications/content-checks.js';
import { LivePublications } from './publications/live-publications.js';
import { NewPublications } from './publications/new-publications.js';
import { PublicationDecisions } from './publications/publication-decisions.js';
import { PublicationEdits } from './publications/publication-edits.js';
import { PublicationViews } from './publications/publication-views.js';
import { PublicationsController } from './publications/publications.controller.js';
import { PublicationsStore } from './publications/publications.store.js';
import { PublishingHealth } from './publishing-health.js';
import { PublishingHold } from './restore/publishing-hold.js';
import { RestoreCheckController } from './restore/restore-check.controller.js';
import { RestoreCheck } from './restore/restore-check.js';
import { RestoredPostFinder } from './restore/restored-post-finder.js';
import { Arrivals } from './sending/arrivals.js';
import { AttemptsStore } from './sending/attempts.store.js';
import { Dispatch } from './sending/dispatch.js';
import { DuePublicationsStore } from './sending/due-publications.store.js';
import { Intents } from './sending/intents.js';
import { KillPoints } from './sending/kill-points.js';
import { LookBack } from './sending/look-back.js';
import { PlatformCalling } from './sending/platform-calling.js';
import { PlatformToolbox } from './sending/platform-toolbox.js';
import { PublishWorker } from './sending/publish.worker.js';
import { PublishMetrics } from './sending/publish-metrics.js';
import { PublishScheduler } from './sending/publish-scheduler.js';
import { PublishingBacklog } from './sending/publishing-backlog.js';
import { Verdicts } from './sending/verdicts.js';
import { Wakefulness } from './sending/wakefulness.js';

/** What goes out: accounts, publications, and the limits and ways of the platforms. */
@Module({
  controllers: [
    AccountsController,
    AccountSlotsController,
    PublicationsController,
    PlatformsController,
    RestoreCheckController,
  ],
  providers: [
    ...[Accounts, AccountsStore, GivenCredentials, Secrets, Resealing, OpenAccounts],
    ...[NewPublications, PublicationEdits, PublicationDecisions, Cancellation, ContentChecks, FreeSlots],
    ...[PublishingHold, RestoreCheck, RestoredPostFinder],
    ...[PublicationsStore, PublicationViews, LivePublications, Dispatch],
    ...[
      PublishScheduler,
      DuePublicationsStore,
      PlatformSlotsStore,
      PublishPools,
      PublishingHealth,
      PublishingBacklog,
      PublishMetrics,
      RoomMetrics,
    ],
    ...[
      PublishWorker,
      AttemptsStore,
      Intents,
      Arrivals,
      PlatformCalling,
      LookBack,
      Verdicts,
      PlatformToolbox,
      Wakefulness,
      KillPoints,
    ],
  ],
})
export class PublishingModule {}
