import { type Logger, pino } from 'pino';
import type { Config } from '../config.js';
import { logContext } from './log-context.js';
import { prettyStream } from './pretty-stream.js';

export type Log = Logger;

/** One JSON object a line; readable lines instead when a person is looking. */
export function createLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Log {
  const options = {
    level: logLevel,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => ({ ...logContext.getStore() }),
  };
  const pretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stdout.isTTY);
  return pretty ? pino(options, prettyStream(process.stdout)) : pino(options, pino.destination({ fd: 1, sync: true }));
}
