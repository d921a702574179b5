import { Injectable } from '@nestjs/common';
import { Events } from '../../platform/events/events.js';
import { LiveHub, MAX_STREAMS_PER_USER, userLimit } from '../../platform/live/live-hub.js';
import { LiveView } from '../../platform/live/live-view.js';
import { publicationChanged } from './publication-changed.event.js';
import { PublicationViews } from './publication-views.js';
import { PublicationsStore } from './publications.store.js';

/** Sends a user's publications as they change. The topic is the user's id; clients read the list after a `reset`. */
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
