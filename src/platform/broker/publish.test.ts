import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { parseConfig } from '../config.js';
import { createLog } from '../log/log.js';
import { Broker } from './broker.js';
import { queueInfo } from './declare.js';

const url = rabbitmqUrl();
const config = parseConfig({ RABBITMQ_URL: url, MILLRACE_LOG_LEVEL: 'silent' });
let broker: Broker;
beforeAll(async () => {
  broker = new Broker(config, createLog(config));
  const channel = await broker.channel();
  await channel.queueDeclare({ queue: 'letters', durable: true });
  await channel.close();
});
afterAll(() => broker.onApplicationShutdown());

const publish = (routingKey: string, messageId?: string) =>
  broker.publish({ exchange: '', routingKey, ...(messageId && { messageId }) }, Buffer.from('hello'));

describe('publishing', () => {
  it('ends when the message is in its queue', async () => {
    await publish('letters');
    expect(await queueInfo(broker, 'letters')).toMatchObject({ messages: 1 });
  });

  it('fails for every message that no queue takes, also when many share an id', async () => {
    const wanted = Array.from({ length: 200 }, (_, at) => (at % 2 ? 'letters' : 'nowhere'));
    const ends = await Promise.allSettled(wanted.map((queue) => publish(queue, 'the same')));
    expect(ends.map((end) => (end.status === 'fulfilled' ? 'letters' : 'nowhere'))).toEqual(wanted);
    expect(ends[0]).toMatchObject({ reason: { code: 'NO_QUEUE' } });
  });
});
