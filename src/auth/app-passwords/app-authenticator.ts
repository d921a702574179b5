import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ControllerSettings } from '../../platform/api/route-settings.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { KeysStore } from '../keys/keys.store.js';
import { FailedAttempts } from '../limits/failed-attempts.js';
import type { User } from '../users/user.js';
import { AppPasswordsStore } from './app-passwords.store.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** App passwords work on this route, beside keys, in every header that reading apps know. Sessions do not. */
    acceptsAppPasswords?: boolean;
  }
}

/** For the controllers of reading apps. `@CurrentUser()` is the user, as everywhere. */
export const AcceptsAppPasswords = () => ControllerSettings({ acceptsAppPasswords: true });

interface Credentials {
  secret: string;
  userName?: string | undefined;
}

const MAX_LENGTH = 500;

/** Finds the user of a reading app. Secrets are app passwords or keys; a key may come with any user name. */
@Injectable()
export class AppAuthenticator {
  constructor(
    private readonly passwords: AppPasswordsStore,
    private readonly keys: KeysStore,
    private readonly failed: FailedAttempts,
  ) {}

  async caller({ headers, ip }: FastifyRequest): Promise<User> {
    const given = credentialsIn(headers.authorization, headers['x-auth-token']);
    if (!given) {
      throw new ApiError('authentication_required', 'Send an app password, as a token or with your user name.');
    }
    const user = await this.logIn(given, ip);
    if (!user) throw new ApiError('invalid_key', 'This user name or app password is wrong, or it has been revoked.');
    return user;
  }

  /** Counts a failure, which ends in a 429 beyond the limits. */
  async logIn({ secret, userName }: Credentials, address: string): Promise<User | undefined> {
    if (secret.length > MAX_LENGTH) return undefined;
    return this.failed.lookUp(address, secret, async () => {
      const password = await this.passwords.find(secret, userName);
      return password ? appUser(password) : this.keys.findUsable(secret.trim());
    });
  }

  /** `apiKey` is the md5 of `userName:password`. */
  async byFeverKey(apiKey: string, address: string): Promise<User | undefined> {
    return this.failed.lookUp(address, apiKey, async () => {
      const password = await this.passwords.findByFeverKey(apiKey);
      return password && appUser(password);
    });
  }
}

/** The token that a login answers with is the secret itself, encoded: clients split lines at `=` and at spaces. */
export const toLoginToken = (secret: string) => encodeURIComponent(secret.trim());

const appUser = ({ id, userId }: { id: string; userId: string }): User => ({
  id: userId,
  scope: 'user',
  scopes: ['read', 'write'],
  keyId: `app-password-${id}`,
});

function credentialsIn(authorization = '', token?: string | string[]): Credentials | undefined {
  if (typeof token === 'string' && token) return { secret: token };
  const [, scheme = '', value = ''] = /^(\w+) +(.+)$/.exec(authorization) ?? [];
  switch (scheme.toLowerCase()) {
    case 'googlelogin': {
      const secret = /^auth=["']?([^"']+)/i.exec(value)?.[1];
      return secret === undefined ? undefined : { secret: decoded(secret) };
    }
    case 'bearer':
      return { secret: decoded(value) };
    case 'basic': {
      const pair = Buffer.from(value, 'base64').toString();
      const colon = pair.indexOf(':');
      return colon === -1 ? undefined : { userName: pair.slice(0, colon), secret: pair.slice(colon + 1) };
    }
    default:
      return undefined;
  }
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token.trim());
  } catch {
    return token;
  }
}
