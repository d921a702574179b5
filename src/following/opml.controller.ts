import { Body, Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { ApiConsumes, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { CurrentUser, type User } from '../auth/users/user.js';
import { DocumentBody, HeavyAnswer } from '../platform/api/request-bodies.js';
import { Clock } from '../platform/time/clock.js';
import { SourceViewsStore } from '../sources/source-views.store.js';
import { ImportedOpml, OpmlImport } from './opml-import.js';
import { renderOpml } from './render-opml.js';

const MAX_BYTES = 10_000_000;

const OpmlBody = z.union([z.string(), z.strictObject({ opml: z.string() })], {
  error: 'OPML as application/xml, text/xml or text/x-opml, or JSON such as {"opml": "<opml …"}',
});
type OpmlBody = z.infer<typeof OpmlBody>;

@ApiTags('Sources')
@Controller('sources/opml')
export class OpmlController {
  constructor(
    private readonly imports: OpmlImport,
    private readonly views: SourceViewsStore,
    private readonly clock: Clock,
  ) {}

  @Post()
  @HttpCode(202)
  @DocumentBody({ maxBytes: MAX_BYTES })
  @ApiConsumes('text/x-opml', 'application/xml', 'text/xml', 'application/json')
  @ApiResponse({ status: 202, standardSchema: ImportedOpml })
  import(@CurrentUser() user: User, @Body({ schema: OpmlBody }) body: OpmlBody) {
    return this.imports.run(user.id, typeof body === 'string' ? body : body.opml);
  }

  @Get()
  @HeavyAnswer()
  @Header('Content-Type', 'text/x-opml; charset=utf-8')
  @Header('Content-Disposition', 'attachment; filename="millrace.opml"')
  @ApiProduces('text/x-opml')
  @ApiResponse({ status: 200, schema: { type: 'string' } })
  async export(@CurrentUser() user: User): Promise<string> {
    return renderOpml(await this.views.listed(user.id), this.clock.now());
  }
}
