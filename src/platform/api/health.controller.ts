import { Controller, Get, type OnModuleInit, VERSION_NEUTRAL } from '@nestjs/common';
import { Database } from '../database/database.js';
import { ApiError } from '../errors/api-error.js';
import { Public } from './public.js';
import { Readiness } from './readiness.js';

/** The timeout is in milliseconds. A connection that was cut silently must not block the check forever. */
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
