import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type SQL, sql } from 'drizzle-orm';
import pg from 'pg';
import { z } from 'zod';
import { Database, type Db } from '../database/database.js';
import { LOG, type Log } from '../log/log.js';
import { ServerConnection } from '../log/server-connection.js';

const CHANNEL = 'millrace';
/** Maximum size of an event in bytes. PostgreSQL's own limit is 8,000. */
const MAX_BYTES = 7_900;
const MAX_PAUSE_MS = 5_000;

const Message = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue('not JSON');
      return z.NEVER;
    }
  })
  .pipe(z.object({ event: z.string(), data: z.unknown() }));

/** Events between processes on PostgreSQL NOTIFY. Those sent while the connection is lost are gone. */
@Injectable()
export class Events implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly emitter = new EventEmitter().setMaxListeners(0);
  private client: pg.Client | undefined;
  private readonly stop = new AbortController();
  /** The only connection that is always open shows whether PostgreSQL can be reached. */
  private readonly connection: ServerConnection;

  constructor(
    private readonly database: Database,
    @Inject(LOG) private readonly log: Log,
  ) {
    this.connection = new ServerConnection('PostgreSQL', log);
  }

  /** Inside a transaction the event is sent when it commits. */
  async publish<Data>(db: Db, definition: EventDefinition<Data>, data: Data): Promise<void> {
    await this.publishAll(db, definition, [data]);
  }

  async publishAll<Data>(db: Db, definition: EventDefinition<Data>, all: Data[]): Promise<void> {
    const messages = all.map((data) => toMessage(definition, data));
    await db.execute(sql`SELECT pg_notify(${CHANNEL}, message) FROM unnest(${sql.param(messages)}::text[]) AS message`);
  }

  /** Publishes one event for each row of a statement. `data` is an expression for the event's data as jsonb. */
  static notifying({ name }: EventDefinition<unknown>, data: SQL): SQL {
    return sql`pg_notify(${sql.raw(`'${CHANNEL}'`)}, jsonb_build_object('event', ${sql.raw(`'${name}'`)}, 'data', ${data})::text)`;
  }

  get listening(): boolean {
    return this.client !== undefined;
  }

  subscribe<Data>({ name, data: schema }: EventDefinition<Data>, listener: (data: Data) => void): () => void {
    const deliver = (data: unknown) => {
      try {
        listener(schema.parse(data));
      } catch (error) {
        this.log.error(
          { event: 'notification_not_delivered', notification: name, err: error },
          'An event could not be delivered',
        );
      }
    };
    this.emitter.on(`event ${name}`, deliver);
    return () => this.emitter.off(`event ${name}`, deliver);
  }

  onLost(listener: () => void): () => void {
    this.emitter.on('lost', listener);
    return () => this.emitter.off('lost', listener);
  }

  onReconnect(listener: () => void): () => void {
    this.emitter.on('reconnect', listener);
    return () => this.emitter.off('reconnect', listener);
  }

  async onApplicationBootstrap() {
    await this.listen();
  }

  private async listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.database.url,
      application_name: 'millrace-events',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    client.on('notification', ({ payload }) => this.receive(payload ?? ''));
    let reason: Error | undefined;
    client.on('error', (error) => {
      reason ??= error;
    });
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
    if (this.stop.signal.aborted) return client.end();
    client.once('end', () => {
      this.client = undefined;
      if (!this.stop.signal.aborted) this.connection.lost(reason);
      this.emitter.emit('lost');
      void this.reconnect();
    });
    this.client = client;
  }

  private receive(payload: string): void {
    const message = Message.safeParse(payload);
    if (message.success) this.emitter.emit(`event ${message.data.event}`, message.data.data);
    else
      this.log.warn(
        { event: 'notification_ignored', issues: message.error.issues },
        'Ignored a notification that is not an event',
      );
  }

  private async reconnect(): Promise<void> {
    for (let pause = 100; !this.stop.signal.aborted; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      await sleep(pause, undefined, { signal: this.stop.signal }).catch(() => undefined);
      if (this.stop.signal.aborted) return;
      try {
        await this.listen();
        this.connection.restored();
        this.emitter.emit('reconnect');
        return;
      } catch (error) {
        this.log.debug(
          { event: 'events_reconnect_failed', err: error },
          'The connection for events could not be opened, retrying',
        );
      }
    }
  }

  async onApplicationShutdown() {
    this.stop.abort();
    this.connection.close();
    await this.client?.end();
  }
}

function toMessage<Data>({ name, data: schema }: EventDefinition<Data>, data: Data): string {
  const message = JSON.stringify({ event: name, data: schema.parse(data) });
  const bytes = Buffer.byteLength(message);
  if (bytes > MAX_BYTES) throw new Error(`the event ${name} has ${bytes} bytes, ${MAX_BYTES} are possible: send ids`);
  return message;
}

interface EventDefinition<Data> {
  readonly name: string;
  readonly data: z.ZodType<Data>;
}

export function defineEvent<Data>(name: string, data: z.ZodType<Data>): EventDefinition<Data> {
  return { name, data };
}
