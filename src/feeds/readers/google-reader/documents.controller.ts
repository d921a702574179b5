import { Body, Get, Header, HttpCode, Post } from '@nestjs/common';
import { z } from 'zod';
import { CurrentUser, type User } from '../../../auth/users/user.js';
import { OpmlImport } from '../../../following/opml-import.js';
import { renderOpml } from '../../../following/render-opml.js';
import { AssumedBody, HeavyAnswer } from '../../../platform/api/request-bodies.js';
import { Clock } from '../../../platform/time/clock.js';
import { SourceViewsStore } from '../../../sources/source-views.store.js';
import { GoogleReaderApi, TEXT } from './google-reader-api.js';

const MAX_BYTES = 10_000_000;
const Opml = z.string();

/** Lists of feeds as OPML. Servers of this API differ in the paths. */
@GoogleReaderApi('')
export class DocumentsController {
  constructor(
    private readonly imports: OpmlImport,
    private readonly views: SourceViewsStore,
    private readonly clock: Clock,
  ) {}

  @Get(['api/0/subscription/export', 'subscriptions/export'])
  @HeavyAnswer()
  @Header('Content-Type', 'text/x-opml; charset=utf-8')
  async export(@CurrentUser() { id }: User) {
    return renderOpml(await this.views.listed(id), this.clock.now());
  }

  @Post(['api/0/subscription/import', 'api/0/import/opml', 'subscriptions/import'])
  @HttpCode(200)
  @AssumedBody('xml', { maxBytes: MAX_BYTES })
  @HeavyAnswer()
  @Header('Content-Type', TEXT)
  async import(@CurrentUser() { id }: User, @Body({ schema: Opml }) opml: string) {
    const { followed, alreadyFollowed } = await this.imports.run(id, opml);
    return `OK: ${followed + alreadyFollowed}`;
  }
}
