import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AdminGate } from '../platform/api/admin-gate.js';
import { Activity } from './activity.js';
import { Admission } from './admission.js';
import { AuthGuard } from './auth.guard.js';
import { Authenticator } from './authenticator.js';
import { BodyGate } from './body-gate.js';
import { BrowserAdminGate } from './browser-admin-gate.js';
import { BrowserGate } from './browser-gate.js';
import { FailedAttempts } from './failed-attempts.js';
import { FirstAdmin } from './first-admin.js';
import { KeysController } from './keys.controller.js';
import { KeysStore } from './keys.store.js';
import { RequestLimits } from './request-limits.js';
import { RevokedKeys } from './revoked-keys.js';
import { SessionController } from './session.controller.js';
import { SessionsStore } from './sessions.store.js';
import { SignInController } from './sign-in.controller.js';
import { SignIn } from './sign-in.js';
import { SignInLinksStore } from './sign-in-links.store.js';
import { UsersController } from './users.controller.js';
import { UsersStore } from './users.store.js';

@Global()
@Module({
  controllers: [UsersController, KeysController, SessionController, SignInController],
  providers: [
    UsersStore,
    KeysStore,
    SessionsStore,
    SignInLinksStore,
    FailedAttempts,
    Authenticator,
    RequestLimits,
    RevokedKeys,
    Activity,
    Admission,
    BodyGate,
    SignIn,
    FirstAdmin,
    BrowserGate,
    { provide: AdminGate, useClass: BrowserAdminGate },
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
  exports: [Activity, AdminGate, BrowserGate, FailedAttempts, FirstAdmin, RequestLimits, UsersStore],
})
export class AuthModule {}
