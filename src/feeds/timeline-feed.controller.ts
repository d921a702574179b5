import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Freshness } from '../fetching/schedule/freshness.js';
import { entityTag, sendTagged } from '../platform/api/entity-tag.js';
import { Public } from '../platform/api/public.js';
import { HeavyAnswer } from '../platform/api/request-bodies.js';
import { CONFIG, type Config } from '../platform/config.js';
import { Timeline } from '../posts/timeline.js';
import { type RenderedTimeline, renderAtom, renderJsonFeed, renderRss } from './render-feeds.js';
import { serverUrl, TokenAccess } from './token-access.js';

const ITEMS = 50;

const Access = z.strictObject({ token: z.string().min(1).max(200) });
type Access = z.infer<typeof Access>;

interface Format {
  name: string;
  mediaType: string;
  render: (timeline: RenderedTimeline) => string;
}

const RSS: Format = { name: 'rss', mediaType: 'application/rss+xml; charset=utf-8', render: renderRss };
const ATOM: Format = { name: 'atom', mediaType: 'application/atom+xml; charset=utf-8', render: renderAtom };
const JSON_FEED: Format = { name: 'json', mediaType: 'application/feed+json; charset=utf-8', render: renderJsonFeed };

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The URL contains a token, because some readers cannot send a key. */
@ApiTags('Feed')
@Public()
@Controller()
export class TimelineFeedController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly access: TokenAccess,
    private readonly timeline: Timeline,
    private readonly freshness: Freshness,
  ) {}

  @Get('feed.rss')
  @HeavyAnswer()
  @ApiOkResponse({ description: 'RSS 2.0', schema: { type: 'string' } })
  @ApiProduces(RSS.mediaType)
  rss(@Query({ schema: Access }) access: Access, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    return this.serve(RSS, access, { request, reply });
  }

  @Get('feed.atom')
  @HeavyAnswer()
  @ApiOkResponse({ description: 'Atom 1.0', schema: { type: 'string' } })
  @ApiProduces(ATOM.mediaType)
  atom(@Query({ schema: Access }) access: Access, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    return this.serve(ATOM, access, { request, reply });
  }

  @Get('feed.json')
  @HeavyAnswer()
  @ApiOkResponse({ description: 'JSON Feed 1.1', schema: { type: 'object' } })
  @ApiProduces(JSON_FEED.mediaType)
  json(@Query({ schema: Access }) access: Access, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    return this.serve(JSON_FEED, access, { request, reply });
  }

  private async serve(format: Format, { token }: Access, { request, reply }: Exchange): Promise<void> {
    const userId = await this.access.admit(token, request, reply);
    const { items } = await this.timeline.page(userId, {}, { limit: ITEMS });
    this.freshness.refreshStale(userId);
    const address = serverUrl(request, this.config.publicUrl);
    // The token is left out, because programs display this URL and pass it on.
    const body = format.render({ items, address, url: new URL(`api/v1/feed.${format.name}`, address).href });
    reply.header('Cache-Control', 'private, max-age=60');
    await sendTagged(reply, { type: format.mediaType, body, etag: entityTag(body) });
  }
}
