import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { ownRedis, redisUrl } from './redis.js';

const clients: Redis[] = [];
const connect = (url: string) => {
  const redis = new Redis(url);
  clients.push(redis);
  return redis;
};
afterAll(() => {
  for (const client of clients) client.disconnect();
});

describe('redisUrl', () => {
  const mine = redisUrl();
  const anothers = redisUrl();

  it('gives each caller a database of its own', async () => {
    await connect(mine).set('key', 'mine');
    expect(await connect(anothers).get('key')).toBeNull();
    expect(await connect(mine).get('key')).toBe('mine');
  });
});

describe('ownRedis', () => {
  const own = ownRedis();

  it('keeps its data and its address through a kill -9 and a restart', async () => {
    const redis = connect(own.url);
    await redis.set('key', 'kept');
    await own.kill();
    await own.restart();
    expect(await connect(own.url).get('key')).toBe('kept');
  });

  it('is emptied without harm to the shared server', async () => {
    const shared = connect(inOtherDatabase);
    await shared.set('key', 'stays');
    await connect(own.url).set('key', 'goes');
    await own.flush();
    expect(await connect(own.url).get('key')).toBeNull();
    expect(await shared.get('key')).toBe('stays');
  });
});

const inOtherDatabase = redisUrl();
