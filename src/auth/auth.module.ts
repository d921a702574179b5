import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AppAuthenticator } from './app-passwords/app-authenticator.js';
import { AppPasswordsController } from './app-passwords/app-passwords.controller.js';
import { AppPasswordsStore } from './app-passwords/app-passwords.store.js';
import { AuthGuard } from './auth.guard.js';
import { Authenticator } from './authenticator.js';
import { FirstAdmin } from './keys/first-admin.js';
import { KeysController } from './keys/keys.controller.js';
import { KeysStore } from './keys/keys.store.js';
import { RevokedKeys } from './keys/revoked-keys.js';
import { BodyGate } from './limits/body-gate.js';
import { FailedAttempts } from './limits/failed-attempts.js';
import { RequestLimits } from './limits/request-limits.js';
import { BrowserGate } from './sessions/browser-gate.js';
import { SessionController } from './sessions/session.controller.js';
import { SessionAuthenticator } from './sessions/session-authenticator.js';
import { SessionsStore } from './sessions/sessions.store.js';
import { SignInController } from './sessions/sign-in.controller.js';
import { SignIn } from './sessions/sign-in.js';
import { Activity } from './users/activity.js';
import { UsersController } from './users/users.controller.js';
import { UsersStore } from './users/users.store.js';

@Global()
@Module({
  controllers: [UsersController, KeysController, AppPasswordsController, SessionController, SignInController],
  providers: [
    UsersStore,
    KeysStore,
    SessionsStore,
    SessionAuthenticator,
    FailedAttempts,
    AppPasswordsStore,
    AppAuthenticator,
    Authenticator,
    RequestLimits,
    RevokedKeys,
    Activity,
    AuthGuard,
    BodyGate,
    SignIn,
    FirstAdmin,
    BrowserGate,
    { provide: APP_GUARD, useExisting: AuthGuard },
  ],
  exports: [Activity, AppAuthenticator, BrowserGate, FailedAttempts, FirstAdmin, RequestLimits, UsersStore],
})
export class AuthModule {}
