import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FailedAttempts } from '../auth/limits/failed-attempts.js';
import { RequestLimits } from '../auth/limits/request-limits.js';
import { Activity } from '../auth/users/activity.js';
import { ApiError } from '../platform/errors/api-error.js';
import { FeedTokensStore } from './feed-tokens.store.js';

@Injectable()
export class TokenAccess {
  constructor(
    private readonly tokens: FeedTokensStore,
    private readonly failed: FailedAttempts,
    private readonly limits: RequestLimits,
    private readonly activity: Activity,
  ) {}

  async admit(token: string, { ip, logFacts }: FastifyRequest, reply: FastifyReply): Promise<string> {
    const userId = await this.tokens.userOf(token);
    if (!userId) {
      await this.failed.count(ip, token);
      throw new ApiError('invalid_key', 'This token is unknown or no longer works.');
    }
    logFacts.userId = userId;
    await this.limits.countRequest({ id: userId, scope: 'user' }, reply);
    this.activity.seen(userId);
    return userId;
  }
}

/** The base URL ends in a slash. */
export function serverUrl({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string {
  return publicUrl ? publicUrl.replace(/\/*$/, '/') : `${protocol}://${host}/`;
}
