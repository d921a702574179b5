import { Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppAuthenticator, toLoginToken } from '../../../auth/app-passwords/app-authenticator.js';
import { Public } from '../../../platform/api/public.js';
import { AssumedBody } from '../../../platform/api/request-bodies.js';
import { RequestParameters } from '../../../platform/api/request-parameters.js';
import { ApiError } from '../../../platform/errors/api-error.js';
import { GoogleLoginApi, JSON_TYPE, TEXT } from './google-reader-api.js';

@GoogleLoginApi()
export class LoginController {
  constructor(private readonly apps: AppAuthenticator) {}

  @Public()
  @Get('ClientLogin')
  logInByQuery(@RequestParameters() form: URLSearchParams, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    return this.answer(form, request, reply);
  }

  @Public()
  @Post('ClientLogin')
  @HttpCode(200)
  @AssumedBody('form', { fromAnyone: true })
  logIn(@RequestParameters() form: URLSearchParams, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    return this.answer(form, request, reply);
  }

  private async answer(form: URLSearchParams, { ip }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const [userName, secret] = [form.get('Email') ?? '', form.get('Passwd') ?? ''];
    if (!secret || !(await this.apps.logIn({ userName, secret }, ip)))
      throw new ApiError('invalid_key', 'This user name or app password is wrong, or it has been revoked.');
    const token = toLoginToken(secret);
    reply.header('Cache-Control', 'no-store');
    const fields = { SID: token, LSID: token, Auth: token };
    if (form.get('output') === 'json') await reply.type(JSON_TYPE).send(JSON.stringify(fields));
    else
      await reply.type(TEXT).send(
        Object.entries(fields)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      );
  }
}
