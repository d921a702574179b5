import { Body, Controller, Delete, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Public } from '../../platform/api/public.js';
import { AnyonesBody } from '../../platform/api/request-bodies.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { Id } from '../../platform/database/columns.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { ChangesNeed } from '../keys/needs.js';
import { CurrentUser, type User } from '../users/user.js';
import { clearSessionCookie, readSessionCookie } from './session-cookie.js';
import { SessionsStore } from './sessions.store.js';
import { SignIn } from './sign-in.js';

const Credentials = z.strictObject({ key: z.string().max(500) });
type Credentials = z.infer<typeof Credentials>;
const Link = z.strictObject({ url: z.string(), expiresAt: z.iso.datetime() });
const SessionView = z.strictObject({ userId: Id, scope: z.enum(['admin', 'user']) });

@Controller('session')
export class SessionController {
  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: SessionsStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Public()
  @AnyonesBody()
  @Post()
  @ApiCreatedResponse({ description: 'Signed in; the cookie is set', standardSchema: SessionView })
  async start(
    @Body({ schema: Credentials }) { key }: Credentials,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof SessionView>> {
    const user = await this.signIn.withKey(key, request, reply);
    if (!user) throw new ApiError('invalid_key', 'This key is unknown or has been revoked.');
    return { userId: user.id, scope: user.scope };
  }

  /** The link grants no more than the key itself. */
  @Post('links')
  @ChangesNeed('read')
  @Header('Cache-Control', 'no-store')
  @ApiCreatedResponse({
    description: 'A link that signs one person in, once, as the owner of the key',
    standardSchema: Link,
  })
  async link(@CurrentUser() { keyId }: User, @Req() request: FastifyRequest): Promise<z.infer<typeof Link>> {
    const { path, expiresAt } = await this.sessions.createLink(keyId);
    const at = this.config.publicUrl?.replace(/\/$/, '') ?? `${request.protocol}://${request.host}`;
    return { url: `${at}${path}`, expiresAt: expiresAt.toISOString() };
  }

  @Delete()
  @ChangesNeed('read')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Signed out' })
  async end(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const token = readSessionCookie(request);
    if (token) await this.sessions.end(token);
    clearSessionCookie(reply, this.config.publicUrl);
  }
}
