import { once } from 'node:events';
import { connect } from 'node:net';
import type { Connection } from 'rabbitmq-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clientOf, demoBroker, newClient } from '../../../test/broker/demo-broker.js';
import { Heartbeats } from './heartbeats.js';

describe('the broker', () => {
  it('tells who speaks another protocol which one it speaks', async () => {
    const { url } = await demoBroker();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\n\r\n');
    const [answer] = await once(socket, 'data');
    expect([...answer]).toEqual([...Buffer.from('AMQP'), 0, 0, 9, 1]);
    await once(socket, 'close');
  });

  it('keeps the virtual hosts apart', async () => {
    const { url } = await demoBroker();
    const [one, other] = ['one', 'other'].map((host) => clientOf({ url: `${url}/${host}` }));
    await one?.queueDeclare({ queue: 'q' });
    await expect(other?.basicGet('q')).rejects.toThrow("no queue 'q' in vhost 'other'");
  });

  it('ends a channel for a fault on it, and the connection goes on', async () => {
    const client = await newClient();
    const channel = await client.acquire();
    channel.basicAck({ deliveryTag: 5 });
    const [fault] = await once(client, 'error');
    expect(fault).toMatchObject({
      code: 'PRECONDITION_FAILED',
      message: expect.stringContaining('unknown delivery tag 5'),
    });
    expect(channel.active).toBe(false);
    expect(await client.queueDeclare({ queue: 'still-here' })).toMatchObject({ messageCount: 0 });
  });

  it('ends the connection for what it cannot do, and says what that is', async () => {
    const client = await newClient();
    const channel = await client.acquire();
    await expect(channel.txSelect()).rejects.toThrow();
    const [fault] = await faultsOf(client, () => client.acquire().then((another) => another.txSelect()));
    expect(fault).toMatchObject({ code: 'NOT_IMPLEMENTED' });
  });

  it('comes back empty on the same port, and its clients with it', async () => {
    const broker = await demoBroker();
    const client = clientOf(broker);
    await client.queueDeclare({ queue: 'commands' });
    const taken: unknown[] = [];
    const queue = { queue: 'commands', queueOptions: { passive: true } };
    const consumer = client.createConsumer(queue, async ({ body }) => void taken.push(body));
    consumer.on('error', () => undefined);
    await once(consumer, 'ready');
    await broker.stop();
    const again = await demoBroker(Number(new URL(broker.url).port));
    const other = clientOf(again);
    await expect(other.basicGet('commands')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await other.queueDeclare({ queue: 'commands' });
    await other.createPublisher({ confirm: true }).send('commands', 'back');
    await vi.waitFor(() => expect(taken).toEqual(['back']), { timeout: 10_000 });
    await consumer.close();
  });
});

async function faultsOf(client: Connection, act: () => Promise<unknown>): Promise<unknown[]> {
  const faults: unknown[] = [];
  client.on('error', (fault) => faults.push(fault));
  await act().catch(() => undefined);
  await vi.waitFor(() => expect(faults).not.toEqual([]));
  return faults;
}

describe('heartbeats', () => {
  afterEach(() => vi.useRealTimers());

  const quietLine = () => {
    vi.useFakeTimers();
    const seen: string[] = [];
    const heartbeats = new Heartbeats({ beat: () => seen.push('beat'), dead: () => seen.push('dead') });
    heartbeats.start(10);
    return { heartbeats, seen };
  };

  it('are sent while nothing else is', () => {
    const { heartbeats, seen } = quietLine();
    heartbeats.read();
    heartbeats.written();
    vi.advanceTimersByTime(5_000);
    expect(seen).toEqual([]);
    heartbeats.read();
    vi.advanceTimersByTime(5_000);
    expect(seen).toEqual(['beat']);
  });

  it('that stay away mean that nobody is there', () => {
    const { seen } = quietLine();
    vi.advanceTimersByTime(20_000);
    expect(seen).toEqual(['beat', 'beat', 'beat', 'beat', 'dead']);
  });
});
