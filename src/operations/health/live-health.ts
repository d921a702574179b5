import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Events } from '../../platform/events/events.js';
import { LiveHub } from '../../platform/live/live-hub.js';
import { LiveView } from '../../platform/live/live-view.js';
import { Periodic } from '../../platform/time/periodic.js';
import { Health } from './health.js';
import type { HealthReport } from './health-report.js';

/** Milliseconds between two checks. Nothing is checked while there are no subscribers. */
const CHECK_INTERVAL_MS = 2_000;
/** Subscribers receive a report at least this often, changed or not. Two checks fit into it, so one may be skipped. */
const MAX_SILENCE_MS = 5_000;
const MAX_STREAMS = 100;
const NOTHING_SENT = { text: '', atMs: 0 };

/** All admins share one topic and one limit. */
export const HEALTH_STREAM = { topic: 'health', owner: 'admins' };

/** Sends the health report: to new subscribers at once, to the others when it has changed or they have heard nothing for long. */
@Injectable()
export class LiveHealth extends LiveView implements OnModuleInit {
  constructor(
    hub: LiveHub,
    events: Events,
    health: Health,
    private readonly periodic: Periodic,
  ) {
    let last = NOTHING_SENT;
    super(hub, events, {
      name: 'health',
      limit: {
        max: MAX_STREAMS,
        refusal: `${MAX_STREAMS} streams are open already; close one of them.`,
        retryAfterMs: MAX_SILENCE_MS,
      },
      async load(_, changed) {
        const report = await health.read();
        const [text, atMs] = [withoutTime(report), performance.now()];
        if (changed && text === last.text && atMs - last.atMs < MAX_SILENCE_MS / 2) return { events: [] };
        // New subscribers may have received another report than the others, so the next check sends it to all.
        last = changed ? { text, atMs } : NOTHING_SENT;
        return { events: [{ event: 'health', data: report }] };
      },
    });
  }

  onModuleInit() {
    this.periodic.everyHere(CHECK_INTERVAL_MS, 'live health', async () => this.changed(HEALTH_STREAM.topic));
  }
}

const withoutTime = ({ checkedAt: _, ...report }: HealthReport) => JSON.stringify(report);
