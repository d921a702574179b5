import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): User => {
  const { user } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!user) throw new Error('@CurrentUser() is used on a route that is public');
  return user;
});

export type Scope = 'admin' | 'user';

export const KEY_SCOPES = ['read', 'write', 'publish', 'metrics', 'admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The default permissions of a key. Metrics concern all users and are not included. */
export const USER_SCOPES = ['read', 'write', 'publish'] as const satisfies KeyScope[];

/** The user of a request. An admin key that acts for a user counts as that user. */
export interface User {
  id: string;
  scope: Scope;
  scopes: readonly KeyScope[];
  keyId: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The user that the request is for: the caller, or the user that an admin key acts for. */
    user?: User;
    caller?: User;
  }
}
