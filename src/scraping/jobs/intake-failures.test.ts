import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownPostgres } from '../../../test/harness/postgres.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { lineTo } from '../../../test/scraping/cut-line.js';
import { eventually, newMessage, newSender, startIntake } from '../../../test/scraping/intake.js';

const postgres = ownPostgres();
const broker = rabbitmqUrl();
const usedBroker = rabbitmqUrl();

async function ready(url = broker, direct = url) {
  const intake = await startIntake({ databaseUrl: postgres.url, rabbitmqUrl: url });
  return { ...intake, ...newSender(direct) };
}

async function newClient() {
  const client = new pg.Client({ connectionString: postgres.url });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe('work sent in', () => {
  it('is one job when the connection is lost between storing and acknowledging it', async () => {
    const line = await lineTo(broker);
    const { send, jobs, lines, waiting } = await ready(line.url, broker);
    const client = await newClient();
    await client.query('BEGIN; LOCK TABLE scrape_jobs IN SHARE MODE');
    await send(newMessage({ user_id: 'cut-off' }));
    await eventually(async () => {
      const { rows } = await client.query(
        `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'scrape_jobs'::regclass`,
      );
      expect(rows).toHaveLength(1);
    });
    line.cut();
    await client.query('COMMIT');

    const said = () => lines.map(({ msg }) => msg).filter((msg) => msg.startsWith('Received a scrape job'));
    await eventually(() => expect(said()).toEqual(['Received a scrape job', 'Received a scrape job again']));
    await eventually(async () => expect(await waiting('scrape_jobs')).toBe(0));
    expect(await jobs('cut-off')).toHaveLength(1);
  });

  it('waits while the database is away, and is stored once when it is back', async () => {
    const { send, jobs, lines } = await ready();
    await postgres.kill();
    await send(newMessage({ user_id: 'patient' }));
    await eventually(() => expect(lines.map(({ msg }) => msg)).toContain('PostgreSQL connection lost, retrying'));
    await postgres.restart();
    await eventually(async () => expect(await jobs('patient')).toHaveLength(1));
  });

  it('is kept when no queue takes the dead ones, until one does', async () => {
    const { send, connection, letterAbout, lines } = await ready();
    await connection.queueUnbind({ queue: 'failed_jobs', exchange: 'dlx', routingKey: 'failed_jobs' });
    await send(newMessage({ source_types: ['bound-again'] }));
    expect(await letterAbout('bound-again')).toMatchObject({ queue: 'failed_jobs' });
    expect(lines.map(({ msg }) => msg)).toContain('A message could not be handled, retrying');
  });

  it('is taken again after its queue was deleted', async () => {
    const { send, connection, jobs, waiting } = await ready();
    await connection.queueDelete('scrape_jobs');
    await eventually(() => waiting('scrape_jobs'));
    await send(newMessage({ user_id: 'returned' }));
    await eventually(async () => expect(await jobs('returned')).toHaveLength(1));
  });

  it('is taken from queues that somebody else has declared otherwise, and the log tells what differs', async () => {
    const { connection } = newSender(usedBroker);
    await connection.exchangeDeclare({ exchange: 'dlx', type: 'fanout', durable: true });
    for (const queue of ['scrape_jobs', 'failed_jobs']) await connection.queueDeclare({ queue, durable: true });
    const { send, jobs, letterAbout, lines } = await ready(usedBroker);
    await send(newMessage({ user_id: 'early-bird' }));
    await send(newMessage({ source_types: ['elsewhere'] }));
    await eventually(async () => expect(await jobs('early-bird')).toHaveLength(1));
    await letterAbout('elsewhere');
    expect(lines.filter(({ level }) => level === 50)).toEqual([]);
    const differing = lines.filter(({ event }) => event === 'broker_declaration_differs').map(({ msg }) => msg);
    expect(differing).toEqual([
      'the exchange dlx exists with another type: it is fanout, and Millrace would declare direct. It is used as it is',
    ]);
  });
});
