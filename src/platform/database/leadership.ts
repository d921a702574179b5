import pg from 'pg';

/** A leader remains leader until it steps down or loses its connection, and with it the lock. */
export class Leadership {
  private client: pg.Client | undefined;

  constructor(
    private readonly databaseUrl: string,
    private readonly lock: number,
  ) {}

  async isMine(): Promise<boolean> {
    if (this.client) return true;
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      application_name: 'millrace-leader',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    client.on('error', () => undefined);
    client.once('end', () => {
      if (this.client === client) this.client = undefined;
    });
    await client.connect();
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [this.lock]);
    if (rows[0]?.mine) this.client = client;
    else await client.end();
    return rows[0]?.mine ?? false;
  }

  async stepDown(): Promise<void> {
    await this.client?.end();
  }
}
