import { applyDecorators, Controller, Get, HttpCode, Ip, Post, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AppAuthenticator } from '../../../auth/app-passwords/app-authenticator.js';
import { RequestLimits } from '../../../auth/limits/request-limits.js';
import { Activity } from '../../../auth/users/activity.js';
import { ForeignApi } from '../../../platform/api/foreign-api.js';
import { Public } from '../../../platform/api/public.js';
import { AssumedBody } from '../../../platform/api/request-bodies.js';
import { RequestParameters } from '../../../platform/api/request-parameters.js';
import { FeverAnswers } from './fever-answers.js';
import { FeverMarks } from './fever-marks.js';

const API_VERSION = 3;
const REFUSED = { api_version: API_VERSION, auth: 0 };

/** Clients append a slash, a file name or nothing to the address that they are given. */
const PATHS = ['fever', 'fever/*', 'api/fever.php', 'api/fever.php/*'];

const FeverApi = () =>
  applyDecorators(
    ForeignApi({ errorAnswer: () => ({ type: 'application/json; charset=utf-8', body: JSON.stringify(REFUSED) }) }),
    Public(),
    ApiExcludeController(),
    Controller({ path: PATHS, version: VERSION_NEUTRAL }),
  );

/** The key is in the body, so bodies are read before the caller is known, and are small. */
@FeverApi()
export class FeverController {
  constructor(
    private readonly apps: AppAuthenticator,
    private readonly limits: RequestLimits,
    private readonly activity: Activity,
    private readonly marks: FeverMarks,
    private readonly answers: FeverAnswers,
  ) {}

  @Get()
  read(@RequestParameters() parameters: URLSearchParams, @Ip() address: string) {
    return this.answer(parameters, address);
  }

  @Post()
  @HttpCode(200)
  @AssumedBody('form', { fromAnyone: true })
  write(@RequestParameters() parameters: URLSearchParams, @Ip() address: string) {
    return this.answer(parameters, address);
  }

  /** The status is 200 for a wrong key as well, as clients expect. */
  private async answer(parameters: URLSearchParams, address: string) {
    const key = parameters.get('api_key');
    const user = key ? await this.apps.byFeverKey(key.trim(), address) : undefined;
    if (!user) return REFUSED;
    await this.limits.countAppRequest(user);
    this.activity.seen(user.id);
    const changed = parameters.has('mark') ? await this.marks.apply(user.id, parameters) : undefined;
    if (changed) parameters.set(changed, '');
    return { api_version: API_VERSION, auth: 1, ...(await this.answers.of(user.id, parameters)) };
  }
}
