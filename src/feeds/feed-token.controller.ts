import { Controller, Delete, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiNoContentResponse, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CurrentUser, type User } from '../auth/users/user.js';
import { CONFIG, type Config } from '../platform/config.js';
import { FeedTokensStore } from './feed-tokens.store.js';
import { serverUrl } from './token-access.js';

const FeedToken = z.strictObject({
  token: z.string(),
  urls: z.strictObject({ rss: z.url(), atom: z.url(), json: z.url() }),
});

@ApiTags('Feed')
@Controller('feed/token')
export class FeedTokenController {
  constructor(
    private readonly tokens: FeedTokensStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  @ApiResponse({ status: 201, description: 'Shown once; a new one replaces it', standardSchema: FeedToken })
  async create(@CurrentUser() user: User, @Req() request: FastifyRequest): Promise<z.infer<typeof FeedToken>> {
    const token = await this.tokens.replace(user);
    const at = serverUrl(request, this.config.publicUrl);
    const url = (format: string) => new URL(`api/v1/feed.${format}?token=${token}`, at).href;
    return { token, urls: { rss: url('rss'), atom: url('atom'), json: url('json') } };
  }

  @Delete()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The address is no longer good' })
  async remove(@CurrentUser() user: User): Promise<void> {
    await this.tokens.remove(user.id);
  }
}
