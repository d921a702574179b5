import { Module } from '@nestjs/common';
import { AccountSlotsController } from './account-slots.controller.js';
import { AccountsController } from './accounts.controller.js';
import { Accounts } from './accounts.js';
import { AccountsStore } from './accounts.store.js';
import { Arrivals } from './arrivals.js';
import { AttemptsStore } from './attempts.store.js';
import { Cancellation } from './cancellation.js';
import { ContentChecks } from './content-checks.js';
import { Dispatch } from './dispatch.js';
import { DuePublicationsStore } from './due-publications.store.js';
import { FreeSlots } from './free-slots.js';
import { GivenCredentials } from './given-credentials.js';
import { Intents } from './intents.js';
import { KillPoints } from './kill-points.js';
import { LivePublications } from './live-publications.js';
import { LookBack } from './look-back.js';
import { NewPublications } from './new-publications.js';
import { OpenAccounts } from './open-accounts.js';
import { PlatformCalling } from './platform-calling.js';
import { PlatformSlotsStore } from './platform-slots.store.js';
import { PlatformToolbox } from './platform-toolbox.js';
import { PlatformsController } from './platforms.controller.js';
import { PublicationDecisions } from './publication-decisions.js';
import { PublicationEdits } from './publication-edits.js';
import { PublicationViews } from './publication-views.js';
import { PublicationsController } from './publications.controller.js';
import { PublicationsStore } from './publications.store.js';
import { PublishWorker } from './publish.worker.js';
import { PublishMetrics } from './publish-metrics.js';
import { PublishPools } from './publish-pools.js';
import { PublishScheduler } from './publish-scheduler.js';
import { PublishingBacklog } from './publishing-backlog.js';
import { PublishingHealth } from './publishing-health.js';
import { PublishingHold } from './publishing-hold.js';
import { Resealing } from './resealing.js';
import { RestoreCheckController } from './restore-check.controller.js';
import { RestoreCheck } from './restore-check.js';
import { RestoredPostFinder } from './restored-post-finder.js';
import { RoomMetrics } from './room-metrics.js';
import { Secrets } from './secrets.js';
import { Verdicts } from './verdicts.js';
import { Wakefulness } from './wakefulness.js';

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
