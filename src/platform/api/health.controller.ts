import { Controller, Get, type OnModuleInit, VERSION_NEUTRAL } from '@nestjs/common';
import { Database } from '../database/database.js';
import { ApiError } from '../errors/api-error.js';
import { Public } from './public.js';
import { Readiness } from './readiness.js';

/** In milliseconds: a connection that was cut without a word must not keep the check waiting for ever. */
const PING = { text: 'SELECT 1', query_timeout: 5_000 };

@Public()
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController implements OnModuleInit {
  constructor(
    private readonly readiness: Readiness,
    private readonly database: Database,
  ) {}

  onModuleInit() {
    this.readiness.register('database', async () => {
      await this.database.pool.query(PING);
      return undefined;
    });
  }

  @Get('live')
  live() {
    return { status: 'live' };
  }

  @Get('ready')
  async ready() {
    const errors = await this.readiness.problems();
    if (errors.length === 0) {
      const warnings = this.readiness.warnings();
      return warnings.length ? { status: 'ready', warnings } : { status: 'ready' };
    }
    const parts = errors.map(({ path, message }) => `${path} ${message}`).join(', ');
    throw new ApiError('not_ready', `Not ready: ${parts}.`, { errors });
  }
}
