import { Connection } from 'rabbitmq-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { startReader } from '../../../test/harness/reader.js';
import { Broker } from '../../platform/broker/broker.js';
import { Declarations } from '../../platform/broker/declarations.js';
import { deadLetters } from '../../platform/jobs/dead-letters/dead-letters.table.js';

const WAIT_OPTIONS = { timeout: 30_000, interval: 100 };

describe('a command that died', () => {
  const given = testDatabase();
  const rabbitmq = rabbitmqUrl();
  const oddRabbitmq = rabbitmqUrl();

  beforeEach(() => given.database.db.delete(deadLetters));

  async function start(rabbitmqUrl: string) {
    const reader = await startReader(given.url, { rabbitmqUrl });
    const declarations = reader.app.get(Declarations);
    await declarations.declareAll();
    const letters = () => given.database.db.select().from(deadLetters).orderBy(deadLetters.id);
    const die = async (sourceId: string) => {
      const expired = { exchange: reader.config.rabbitmqExchange, routingKey: 'fetch.twitter', expiration: '1' };
      await reader.app.get(Broker).publish(expired, command(sourceId));
      await expect.poll(letters, WAIT_OPTIONS).toMatchObject([{ queue: 'fetch.dlq', subject: `twitter-${sourceId}` }]);
    };
    /** Reason of the second failure. */
    const replay = async () => {
      const url = `/api/v1/dead-letters/${(await letters())[0]?.id}/replay`;
      await reader.send({ method: 'POST', url, key: reader.config.adminKey ?? '' });
      await expect.poll(letters, WAIT_OPTIONS).toMatchObject([{ state: 'replayed' }, { state: 'open' }]);
      return (await letters())[1]?.history.map(({ reason }) => reason);
    };
    return { declarations, die, reader, replay };
  }

  it('is found also in a fetch.dlq that somebody declared in another way', async () => {
    await declareOddly(oddRabbitmq, 'fetch.dlq');
    const { declarations, die } = await start(oddRabbitmq);
    expect(declarations.errorOf('fetch.dlq')).toBeUndefined();
    await die('42');
  });

  it.each(['conform-0b5f1c5e', '12345', '9'.repeat(30)])(
    'is not run again for a source that does not exist: %s',
    async (sourceId) => {
      const { die, replay } = await start(rabbitmq);
      await die(sourceId);
      expect(await replay()).toEqual([`there is no twitter source ${sourceId} here`]);
    },
  );

  it('is not run again for a source of another type', async () => {
    const { die, reader, replay } = await start(rabbitmq);
    const { id } = await reader.as('ann').follow('http://127.0.0.1:2/feed');
    await die(id);
    expect(await replay()).toEqual([`there is no twitter source ${id} here`]);
  });
});

const command = (sourceId: string) => ({
  jobId: 'old',
  sourceId,
  sourceType: 'twitter',
  externalId: 'a',
  params: {},
  timestamp: '2026-01-01T00:00:00Z',
});

async function declareOddly(url: string, queue: string): Promise<void> {
  const connection = new Connection({ url });
  await connection.queueDeclare({ queue, durable: true, arguments: { 'x-max-length': 100 } });
  await connection.close();
}
