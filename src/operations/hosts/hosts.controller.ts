import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { AdminOnly } from '../../auth/keys/needs.js';
import { listQuery, page, pageOf } from '../../platform/api/list-query.js';
import { canParseUrl } from '../../platform/can-parse-url.js';
import { Text } from '../../platform/database/columns.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { HostLimits } from '../../platform/hosts/host-limits.js';
import { HostLimitsStore } from '../../platform/hosts/host-limits.store.js';
import { usedLastMinute } from '../../platform/hosts/recently-used.js';
import { Clock } from '../../platform/time/clock.js';
import { type HostRow, HostsStore } from './hosts.store.js';

const HostView = z.strictObject({
  host: z.string(),
  /** Maximum number of requests a minute from all features together. Null if there is no limit. */
  requestsPerMinute: z.int().nullable(),
  /** `refusal` means that the host has answered with 429. */
  origin: z.enum(['environment', 'set', 'header', 'refusal']).nullable(),
  /** The origin as a sentence. */
  because: z.string().nullable(),
  /** An estimate. Null without a limit, because requests are not counted then. */
  usedLastMinute: z.int().nullable(),
  nextTurnAt: z.iso.datetime().nullable(),
  /** The host is left alone until then. */
  closedUntil: z.iso.datetime().nullable(),
  closedBecause: z.string().nullable(),
  /** Number of sources that are fetched from it, and of those with active followers. */
  sources: z.int(),
  activeSources: z.int(),
});

const List = listQuery(z.tuple([Text]), {
  q: Text.max(253).optional(),
  all: z.enum(['true', 'false']).default('false'),
});
type List = z.infer<typeof List>;

/** A host name such as `example.org`, not the URL of a page. */
const Host = Text.min(1)
  .max(253)
  .transform((text) => text.toLowerCase())
  .refine((text) => !/[\s/?#@\\]/.test(text) && canParseUrl(`http://${text}/`), 'a host such as example.org');
const Limit = z.strictObject({ requestsPerMinute: z.int().min(1).max(1_000_000).nullable() });
type Limit = z.infer<typeof Limit>;

@ApiTags('Operations')
@AdminOnly()
@Controller('hosts')
export class HostsController {
  constructor(
    private readonly hosts: HostsStore,
    private readonly limits: HostLimits,
    private readonly limitsStore: HostLimitsStore,
    private readonly clock: Clock,
  ) {}

  /** Lists hosts by name: those with a limit or a back-off, or with `all` every host that sources are fetched from. */
  @Get()
  @ApiResponse({ status: 200, standardSchema: pageOf(HostView) })
  async list(@Query({ schema: List }) { limit, cursor, q, all }: List) {
    const now = this.clock.now();
    const rows = await this.hosts.list({ all: all === 'true', q, after: cursor?.[0], limit: limit + 1 }, now);
    return page(
      rows.map((row) => toHostView(row, now)),
      limit,
      ({ host }) => [host],
    );
  }

  @Get(':host')
  @ApiResponse({ status: 200, standardSchema: HostView })
  async read(@Param('host', { schema: Host }) host: string) {
    return this.view(this.counted(host));
  }

  /** Sets a limit that overrides what the host announces and what was learned. Null removes it. */
  @Put(':host')
  @ApiResponse({ status: 200, standardSchema: HostView })
  async set(@Param('host', { schema: Host }) given: string, @Body({ schema: Limit }) { requestsPerMinute }: Limit) {
    const host = await this.changeable(given);
    if (requestsPerMinute === null) await this.limitsStore.forget(host);
    else await this.limitsStore.set({ host, perMinute: requestsPerMinute });
    this.limits.invalidate();
    return this.view(host);
  }

  /** Deletes the limit of a host, learned or set. What the host announces or refuses from now on is learned again. */
  @Delete(':host')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Forgotten' })
  async forget(@Param('host', { schema: Host }) given: string) {
    await this.limitsStore.forget(await this.changeable(given));
    this.limits.invalidate();
  }

  private async view(host: string): Promise<HostView> {
    const now = this.clock.now();
    return toHostView(await this.hosts.find(host, now), now);
  }

  /** The operator's configuration, perhaps of other processes than this one, takes precedence. */
  private async changeable(given: string): Promise<string> {
    const host = this.counted(given);
    if ((await this.limitsStore.find(host))?.origin === 'environment')
      throw new ApiError('host_limit_fixed', `The limit of ${host} is in MILLRACE_HOST_LIMITS: change it there.`);
    return host;
  }

  private counted(given: string): string {
    const host = this.limits.hostOf(new URL(`http://${given}/`));
    if (host === given) return host;
    const way = `name ${given} in MILLRACE_HOST_LIMITS to make it a host of its own`;
    throw new ApiError('validation_failed', `${given} counts as a part of ${host}: give that, or ${way}.`, {
      errors: [{ path: 'host', message: `is part of ${host}` }],
    });
  }
}

type HostView = z.infer<typeof HostView>;

function toHostView({ host, limit, backoff, sources, activeSources }: HostRow, now: Date): HostView {
  return {
    host,
    requestsPerMinute: limit?.perMinute ?? null,
    origin: limit?.origin ?? null,
    because: limit?.because ?? null,
    usedLastMinute: limit ? usedLastMinute(limit, now).used : null,
    nextTurnAt: limit?.nextAt.toISOString() ?? null,
    closedUntil: backoff?.until.toISOString() ?? null,
    closedBecause: backoff?.reason ?? null,
    sources,
    activeSources,
  };
}
