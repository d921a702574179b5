export type Scope = 'admin' | 'user';

/** Who is asking, as established by the authenticator. An admin key that acts for a user is that user. */
export interface User {
  id: string;
  scope: Scope;
  keyId: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    user?: User;
  }
}
