import type { LoggerService } from '@nestjs/common';
import type { Log } from './log.js';

/** Writes Nest's own messages. Its lines about every module and route matter only when debugging. */
export class NestLog implements LoggerService {
  constructor(private readonly out: Log) {}

  log(message: unknown, context?: string) {
    this.out.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string) {
    this.out.warn({ context }, String(message));
  }

  error(message: unknown, stack?: string, context?: string) {
    this.out.error({ context, stack }, String(message));
  }
}
