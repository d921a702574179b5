import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CurrentUser, type User } from '../auth/users/user.js';
import { Id } from '../platform/database/columns.js';
import { ApiError } from '../platform/errors/api-error.js';
import { LiveFeed } from './live-feed.js';

const Where = z.strictObject({ lastEventId: Id.optional() });
type Where = z.infer<typeof Where>;

const EVENTS = `Server-sent events without end: \`post\` with a feed item, whose id is the event's; \`source-failing\` with a
\`sourceId\`; \`reset\` when more was missed than can be sent. After a break some posts may come again.`;

@ApiTags('Feed')
@Controller('feed')
export class LiveFeedController {
  constructor(private readonly live: LiveFeed) {}

  @Get('stream')
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ description: EVENTS, schema: { type: 'string' } })
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'Begin with what was stored after this post' })
  open(
    @CurrentUser() user: User,
    @Query({ schema: Where }) { lastEventId }: Where,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    this.live.open({ userId: user.id, lastEventId: lastSeen(request) ?? lastEventId }, { request, reply });
  }
}

function lastSeen({ headers }: FastifyRequest): string | undefined {
  const header = headers['last-event-id'];
  if (header === undefined || header === '') return undefined;
  const id = Id.safeParse(header);
  if (id.success) return id.data;
  const errors = [{ path: 'Last-Event-ID', message: 'the id of a post' }];
  throw new ApiError('validation_failed', 'Last-Event-ID: the id of a post', { errors });
}
