import { Controller, Get, Injectable, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentUser, type User } from '../../auth/users/user.js';
import { Events } from '../../platform/events/events.js';
import { LiveHub, MAX_STREAMS_PER_USER, userLimit } from '../../platform/live/live-hub.js';
import { LiveView } from '../../platform/live/live-view.js';
import { publicationChanged } from './publication-changed.event.js';
import { PublicationViews } from './publication-view.js';
import { PublicationsStore } from './publications.store.js';

/** The topic is the user's id. Clients read the list after a `reset`. */
@Injectable()
export class LivePublications extends LiveView {
  constructor(hub: LiveHub, events: Events, store: PublicationsStore, views: PublicationViews) {
    super(hub, events, {
      name: 'publication',
      limit: userLimit(`You may have ${MAX_STREAMS_PER_USER} streams open at a time.`),
      async load(_userId, changed) {
        if (!changed) return { events: [{ event: 'reset', data: {} }] };
        const shown = await views.all(await store.findAll(changed));
        return { events: shown.map((data) => ({ event: 'publication', data })) };
      },
    });
    events.subscribe(publicationChanged, ({ userId, publicationId }) => this.changed(userId, publicationId));
  }
}

const EVENTS =
  'Server-sent events: `publication` with each of the caller’s publications as it changes; `reset` after a break, when ' +
  'changes may have been missed.';

@ApiTags('Publications')
@Controller('publications/stream')
export class PublicationStreamController {
  constructor(private readonly live: LivePublications) {}

  @Get()
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ description: EVENTS, schema: { type: 'string' } })
  watch(@CurrentUser() user: User, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.live.open({ topic: user.id, owner: user.id }, { request, reply });
  }
}
