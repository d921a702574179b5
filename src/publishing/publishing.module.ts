import { Module } from '@nestjs/common';
import { AccountRemoval } from './accounts/account-removal.js';
import { AccountSlotsController } from './accounts/account-slots.controller.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { Accounts } from './accounts/accounts.js';
import { AccountsStore } from './accounts/accounts.store.js';
import { CredentialInput } from './accounts/credential-input.js';
import { CredentialVault } from './accounts/credential-vault.js';
import { FreeSlots } from './accounts/free-slots.js';
import { KeyRotation } from './accounts/key-rotation.js';
import { Secrets } from './accounts/secrets.js';
import { CapacityMetrics } from './limits/capacity-metrics.js';
import { PlatformSlotsStore } from './limits/platform-slots.store.js';
import { PublishPools } from './limits/publish-pools.js';
import { PlatformsController } from './platforms.controller.js';
import { BulkPublications } from './publications/bulk-publications.js';
import { CreatePublications } from './publications/create-publications.js';
import { LivePublications, PublicationStreamController } from './publications/live-publications.js';
import { PublicationDecisions } from './publications/publication-decisions.js';
import { PublicationEdits } from './publications/publication-edits.js';
import { PublicationViews } from './publications/publication-view.js';
import { PublicationsController } from './publications/publications.controller.js';
import { PublicationsStore } from './publications/publications.store.js';
import { TargetAccounts } from './publications/target-accounts.js';
import { PublishingHold } from './restore/publishing-hold.js';
import { RestoreCheckController } from './restore/restore-check.controller.js';
import { RestoreCheck } from './restore/restore-check.js';
import { RestoredPostFinder } from './restore/restored-post-finder.js';
import { AttemptsStore } from './sending/attempts.store.js';
import { DuePublicationsStore } from './sending/due-publications.store.js';
import { FailurePolicy } from './sending/failure-policy.js';
import { FreezeDetector } from './sending/freeze-detector.js';
import { PlatformCaller } from './sending/platform-caller.js';
import { PlatformToolbox } from './sending/platform-toolbox.js';
import { PublishWorker } from './sending/publish.worker.js';
import { PublishAttempts } from './sending/publish-attempts.js';
import { PublishDispatcher } from './sending/publish-dispatcher.js';
import { PublishIntents } from './sending/publish-intents.js';
import { PublishMetrics } from './sending/publish-metrics.js';
import { PublishScheduler } from './sending/publish-scheduler.js';
import { PublishingBacklog } from './sending/publishing-backlog.js';
import { Reconciler } from './sending/reconciler.js';

@Module({
  controllers: [
    AccountsController,
    AccountSlotsController,
    PublicationStreamController,
    PublicationsController,
    PlatformsController,
    RestoreCheckController,
  ],
  providers: [
    Accounts,
    AccountsStore,
    CredentialInput,
    Secrets,
    KeyRotation,
    CredentialVault,
    CreatePublications,
    BulkPublications,
    AccountRemoval,
    PublicationEdits,
    PublicationDecisions,
    TargetAccounts,
    FreeSlots,
    PublishingHold,
    RestoreCheck,
    RestoredPostFinder,
    PublicationsStore,
    PublicationViews,
    LivePublications,
    PublishDispatcher,
    PublishScheduler,
    DuePublicationsStore,
    PlatformSlotsStore,
    PublishPools,
    PublishingBacklog,
    PublishMetrics,
    CapacityMetrics,
    PublishWorker,
    AttemptsStore,
    PublishIntents,
    PublishAttempts,
    PlatformCaller,
    Reconciler,
    FailurePolicy,
    PlatformToolbox,
    FreezeDetector,
  ],
})
export class PublishingModule {}
