import { Body, Controller, Get, Post, Query, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sendPlainPage } from '../../platform/api/plain-page.js';
import { Public } from '../../platform/api/public.js';
import { AnyonesBody } from '../../platform/api/request-bodies.js';
import { NextPage } from '../next-page.js';
import { SignIn } from './sign-in.js';
import { signInPage } from './sign-in-page.js';

// A bad `next` is no reason to turn somebody away.
const Next = NextPage.default('/').catch('/');
const Visit = z.strictObject({ token: z.string().max(100).optional(), next: Next });
type Visit = z.infer<typeof Visit>;
const Form = z.strictObject({ key: z.string().max(500), next: Next });
type Form = z.infer<typeof Form>;

@Public()
@ApiExcludeController()
@Controller({ path: 'sign-in', version: VERSION_NEUTRAL })
export class SignInController {
  constructor(private readonly signIn: SignIn) {}

  @Get()
  async open(
    @Query({ schema: Visit }) { token, next }: Visit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    // Programs that look at a link before a person opens it send HEAD, which must not use it up.
    if (token === undefined || request.method === 'HEAD') return sendPlainPage(reply, signInPage({ next }));
    if (await this.signIn.withLink(token, request, reply)) return reply.redirect(next, 303);
    return sendPlainPage(reply, signInPage({ next, mistake: 'This link has been used already or is too old.' }));
  }

  @AnyonesBody({ form: true })
  @Post()
  async submit(
    @Body({ schema: Form }) { key, next }: Form,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    if (await this.signIn.withKey(key.trim(), request, reply)) return reply.redirect(next, 303);
    return sendPlainPage(reply, signInPage({ next, mistake: 'This key is unknown or has been revoked.' }));
  }
}
