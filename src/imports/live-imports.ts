import { Inject, Injectable } from '@nestjs/common';
import { LiveViews } from '../platform/api/live-views.js';
import { Events } from '../platform/events/events.js';
import type { Log } from '../platform/log/log.js';
import { LOG } from '../platform/log/log.js';
import { importChanged } from './import-changed.event.js';
import { toImportView } from './import-view.js';
import { ImportsStore } from './imports.store.js';

/** Tells watchers how an import gets on, until it has ended. */
@Injectable()
export class LiveImports extends LiveViews<{ importId: string }> {
  constructor(
    events: Events,
    private readonly imports: ImportsStore,
    @Inject(LOG) log: Log,
  ) {
    const idOf = ({ importId }: { importId: string }) => importId;
    super({ name: 'import', plural: 'imports', changed: importChanged, idOf }, events, log);
  }

  protected async show(id: string) {
    const found = await this.imports.load(id);
    return found && { view: toImportView(found), ended: found.status !== 'running' };
  }
}
