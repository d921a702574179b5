import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AdminOnly } from '../../auth/keys/needs.js';
import { discoveryDelays } from '../../fetching/fetching-health.js';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../platform/time/clock.js';
import { MINUTE_MS, RunCountsStore, startOfMinute } from '../metrics/run-counts.store.js';
import { Health } from './health.js';
import { HealthReport, HealthSeries } from './health-report.js';
import { HEALTH_STREAM, LiveHealth } from './live-health.js';

const DAY_MINUTES = 1_440;
const SeriesQuery = z.strictObject({ minutes: z.coerce.number().int().min(1).max(DAY_MINUTES).default(60) });
type SeriesQuery = z.infer<typeof SeriesQuery>;

const EVENTS = 'Server-sent events: `health` with the report, now, whenever it changes, and at least every 5 seconds.';

@ApiTags('Operations')
@AdminOnly()
@Controller('health')
export class HealthReportController {
  constructor(
    private readonly health: Health,
    private readonly live: LiveHealth,
    private readonly runs: RunCountsStore,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiResponse({ status: 200, standardSchema: HealthReport })
  read(): Promise<HealthReport> {
    return this.health.read();
  }

  @Get('stream')
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ description: EVENTS, schema: { type: 'string' } })
  watch(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.live.open(HEALTH_STREAM, { request, reply });
  }

  @Get('series')
  @ApiResponse({ status: 200, standardSchema: HealthSeries })
  async series(@Query({ schema: SeriesQuery }) { minutes }: SeriesQuery): Promise<HealthSeries> {
    const now = this.clock.now();
    const from = new Date(startOfMinute(now).getTime() - (minutes - 1) * MINUTE_MS);
    const [jobs, delay] = await Promise.all([
      this.runs.series(from),
      discoveryDelays(this.database.db, { from, to: now }),
    ]);
    return {
      stepSeconds: MINUTE_MS / 1_000,
      jobs: everyMinute(jobs, { now, minutes, empty: { done: 0, failed: 0, retried: 0 } }),
      delay: everyMinute(delay, { now, minutes, empty: { posts: 0, medianSeconds: null, p95Seconds: null } }),
    };
  }
}

interface AtMinute {
  at: Date | string;
}

function everyMinute<Row extends AtMinute, Empty>(
  rows: Row[],
  { now, minutes, empty }: { now: Date; minutes: number; empty: Empty },
) {
  const found = new Map(rows.map((row) => [new Date(row.at).getTime(), row]));
  const last = startOfMinute(now).getTime();
  return Array.from({ length: minutes }, (_, place) => {
    const at = last - (minutes - 1 - place) * MINUTE_MS;
    return { ...empty, ...found.get(at), at: new Date(at).toISOString() };
  });
}
