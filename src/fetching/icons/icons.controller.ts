import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { FailedAttempts } from '../../auth/limits/failed-attempts.js';
import { sendTagged } from '../../platform/api/entity-tag.js';
import { Public } from '../../platform/api/public.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { IconsStore } from './icons.store.js';

const Token = z.string().min(1).max(100);
const Version = z.strictObject({ v: z.string().max(100).optional() });
type Version = z.infer<typeof Version>;

/** A drawing that is opened by itself may apply its own styles, and nothing else. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Open to everybody, because reading apps load images without a key. The token in the path cannot be guessed. */
@ApiTags('Sources')
@Public()
@Controller('icons')
export class IconsController {
  constructor(
    private readonly icons: IconsStore,
    private readonly failed: FailedAttempts,
  ) {}

  @Get(':token')
  @ApiOkResponse({ description: 'The icon of a site', schema: { type: 'string', format: 'binary' } })
  @ApiProduces('image/png', 'image/x-icon', 'image/gif', 'image/jpeg', 'image/webp', 'image/svg+xml')
  async read(
    @Param('token', { schema: Token }) token: string,
    @Query({ schema: Version }) { v }: Version,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const icon = await this.icons.findByToken(token);
    if (!icon) await this.failed.count(request.ip, token);
    const { bytes: body, mime: type, version } = icon ?? {};
    if (!body || !type || !version) throw new ApiError('not_found', 'There is no such icon.');
    reply
      .header('Cache-Control', v === version ? 'public, max-age=31536000, immutable' : 'public, max-age=86400')
      .header('Content-Security-Policy', POLICY)
      .header('Cross-Origin-Resource-Policy', 'cross-origin');
    await sendTagged(reply, { type, body, etag: `"${version}"` });
  }
}
