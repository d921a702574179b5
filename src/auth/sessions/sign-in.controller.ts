import { Body, Controller, Get, Post, Query, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type PlainPage, sendPlainPage } from '../../platform/api/plain-page.js';
import { Public } from '../../platform/api/public.js';
import { AnyonesBody } from '../../platform/api/request-bodies.js';
import { SignIn } from './sign-in.js';

/** `//host`, backslashes and control characters are refused, because browsers read them as another host. */
const NextPage = z
  .string()
  .max(2000)
  .regex(/^\/(?!\/)[\w\-./?=&%:@,+~#!$()*;[\]]*$/, 'a path of this server');

// An invalid `next` must not prevent a sign-in.
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
    // Programs that preview a link send HEAD, which must not use it up.
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

/** `next` has been validated and contains no quotes or brackets. */
function signInPage({ next, mistake }: { next: string; mistake?: string }): PlainPage {
  return {
    title: 'Sign in · Millrace',
    status: mistake ? 401 : 200,
    content: `<h1>Sign in to Millrace</h1>
${mistake ? `<p role="alert" id="mistake">${mistake}</p>` : ''}
<form method="post" action="/sign-in">
<label for="key">Key</label>
<input id="key" name="key" type="password" autocomplete="current-password" required autofocus${mistake ? ' aria-describedby="mistake" aria-invalid="true"' : ''}>
<input type="hidden" name="next" value="${next.replaceAll('&', '&amp;')}">
<button>Sign in</button>
</form>
<p>Your admin key is in the file <code>admin-key</code> of the data folder. To get a sign-in link, run <code>millrace sign-in</code>.</p>`,
  };
}
