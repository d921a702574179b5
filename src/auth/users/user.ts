import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): User => {
  const { user } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!user) throw new Error('@CurrentUser() is used on a route that is public');
  return user;
});

export type Scope = 'admin' | 'user';

/** What a key may do. An admin key may do everything. */
export const KEY_SCOPES = ['read', 'write', 'publish', 'metrics', 'admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** What a key may do unless it was made for less. Metrics are about all users, so they are not among these. */
export const USER_SCOPES = ['read', 'write', 'publish'] as const satisfies KeyScope[];

/** Who is asking, as established by the authenticator. An admin key that acts for a user is that user. */
export interface User {
  id: string;
  scope: Scope;
  scopes: readonly KeyScope[];
  keyId: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The user that the request is for: the caller, or whom an admin key acts for. */
    user?: User;
    /** The owner of the key or the session. */
    caller?: User;
  }
}
