import { AsyncLocalStorage } from 'node:async_hooks';
import type { LoggerService } from '@nestjs/common';
import { type LogFn, type Logger, type LoggerOptions, pino } from 'pino';
import type { Config } from '../config.js';
import { redactText } from '../redact.js';
import { isOutageNoise } from './server-connection.js';

export const logContext = new AsyncLocalStorage<Record<string, unknown>>();

export const LOG = Symbol('log');

const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info ', 40: 'warn ', 50: 'error', 60: 'fatal' };

export type Log = Logger;

const WARN = 40;

/** Options of every log. Addresses are redacted in the finished line, whichever field they came in. */
export const LOG_OPTIONS = {
  timestamp: pino.stdTimeFunctions.isoTime,
  mixin: () => ({ ...logContext.getStore() }),
  serializers: { err: serializeError },
  hooks: {
    logMethod(args, method, level) {
      const [facts] = args as unknown[];
      if (level >= WARN && isOutageNoise((facts as { err?: unknown } | undefined)?.err)) this.debug(...args);
      else method.apply(this, args as Parameters<LogFn>);
    },
    streamWrite: redactText,
  },
} satisfies LoggerOptions;

export function createLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Log {
  const options = { ...LOG_OPTIONS, level: logLevel, base: { pid: process.pid } };
  const pretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stdout.isTTY);
  return pretty ? pino(options, prettyStream(process.stdout)) : pino(options, pino.destination({ fd: 1, sync: true }));
}

/** Fields of PostgreSQL's errors that contain values of rows. */
const ROW_VALUES = ['detail', 'where', 'internalQuery'];

/** The log names tables and constraints but never values of rows, such as key hashes. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const facts = Object.entries(pino.stdSerializers.err(error));
  return Object.fromEntries(facts.filter(([name]) => !ROW_VALUES.includes(name)));
}

function prettyStream(out: { write(text: string): unknown }) {
  return { write: (line: string) => out.write(`${readable(line)}\n`) };
}

function readable(line: string): string {
  const { time, level, msg, pid: _pid, err, ...rest } = JSON.parse(line);
  const details = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const stack = err?.stack ? `\n${err.stack}` : '';
  return [String(time).slice(11, 19), LEVELS[level] ?? level, msg ?? '', ...details].join(' ') + stack;
}

/** Writes Nest's own messages. Its lines about every module and route matter only when debugging. */
export class NestLog implements LoggerService {
  constructor(private readonly out: Log) {}

  log(message: unknown, context?: string) {
    this.out.debug({ event: 'nest_message', context }, String(message));
  }

  warn(message: unknown, context?: string) {
    this.out.warn({ event: 'nest_message', context }, String(message));
  }

  error(message: unknown, stack?: string, context?: string) {
    this.out.error({ event: 'nest_message', context, stack }, String(message));
  }
}
