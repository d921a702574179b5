import { Injectable } from '@nestjs/common';
import { Events } from '../platform/events/events.js';
import { LiveHub, MAX_STREAMS_PER_USER, userLimit } from '../platform/live/live-hub.js';
import { LiveView } from '../platform/live/live-view.js';
import { importChanged } from './import-status.js';
import { toImportView } from './import-view.js';
import { ImportsStore } from './imports.store.js';

/** The topic is the import's id. */
@Injectable()
export class LiveImports extends LiveView {
  constructor(hub: LiveHub, events: Events, imports: ImportsStore) {
    super(hub, events, {
      name: 'import',
      limit: userLimit(`You may watch ${MAX_STREAMS_PER_USER} imports at a time.`),
      async load(id) {
        const found = await imports.load(id);
        if (!found) return { events: [], ended: true };
        return { events: [{ event: 'import', data: toImportView(found) }], ended: found.status !== 'running' };
      },
    });
    events.subscribe(importChanged, ({ importId }) => this.changed(importId));
  }
}
