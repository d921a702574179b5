import type { Logger } from 'pino';
import { lostConnection } from '../database/lost-connection.js';

type ServerName = 'PostgreSQL' | 'Redis' | 'RabbitMQ';

const lostServers = new Set<ServerConnection>();

/** Logs one line when a server is lost and one when it is back. Other failures are logged at debug level. */
export class ServerConnection {
  private readonly key: string;
  private lostAt = 0;
  private suppressed = 0;

  constructor(
    private readonly name: ServerName,
    private readonly log: Logger,
  ) {
    this.key = name.toLowerCase();
  }

  lost(error: unknown): void {
    if (lostServers.has(this)) return;
    this.lostAt = Date.now();
    this.suppressed = 0;
    const reason = lostConnection(error) ?? (error instanceof Error ? error.message : undefined);
    this.log.error({ event: `${this.key}_connection_lost`, reason }, `${this.name} connection lost, retrying`);
    lostServers.add(this);
  }

  restored(): void {
    if (!lostServers.delete(this)) return;
    const facts = { awayMs: Date.now() - this.lostAt, suppressed: this.suppressed };
    this.log.info({ event: `${this.key}_connection_restored`, ...facts }, `${this.name} connection restored`);
  }

  /** Ends the watch without a log line, because this process stops using the server. */
  close(): void {
    lostServers.delete(this);
  }

  countSuppressed(): void {
    this.suppressed += 1;
  }
}

/** Errors of Redis and RabbitMQ clients without a connection. Each library has its own messages. */
const WITHOUT_CONNECTION =
  /^Connection is closed|^Stream isn't writeable|^Command timed out|^Socket timeout|max retries per request|^RabbitMQ /;

export function isServerLost(): boolean {
  return lostServers.size > 0;
}

export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return lostConnection(error) !== undefined || WITHOUT_CONNECTION.test(error.message);
}

export function isOutageNoise(error: unknown): boolean {
  if (!isServerLost() || !isConnectionError(error)) return false;
  for (const server of lostServers) server.countSuppressed();
  return true;
}
