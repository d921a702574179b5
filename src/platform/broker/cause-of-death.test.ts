import { describe, expect, it } from 'vitest';
import { causeOfDeath } from './cause-of-death.js';

const died = (reason: string) => ({
  'x-death': [{ queue: 'fetch.rss', reason, exchange: 'e', 'routing-keys': ['k'] }],
});

describe('causeOfDeath', () => {
  it.each([
    ['expired', 'nobody took it from the queue fetch.rss in time'],
    ['rejected', 'a consumer of the queue fetch.rss rejected it'],
    ['maxlen', 'the queue fetch.rss was full'],
    ['delivery_limit', 'it was taken from the queue fetch.rss too often without being acknowledged'],
    ['struck by lightning', 'RabbitMQ took it from the queue fetch.rss: struck by lightning'],
  ])('says in words what RabbitMQ says: %s', (reason, words) => {
    expect(causeOfDeath(died(reason))).toEqual({ reason: words, queue: 'fetch.rss', exchange: 'e', routingKey: 'k' });
  });

  it('takes the latest death of several', () => {
    const [earlier, later] = [died('expired'), died('maxlen')].map((headers) => headers['x-death'][0]);
    expect(causeOfDeath({ 'x-death': [later, earlier] }).reason).toContain('full');
  });

  it('uses a header that another program has set', () => {
    expect(causeOfDeath({ ...died('rejected'), 'x-millrace-reason': 'job_id: missing' }).reason).toBe(
      'job_id: missing',
    );
    expect(causeOfDeath({ 'x-millrace-reason': `NUL \0 ${'x'.repeat(5_000)}` }).reason).toHaveLength(1_999);
  });

  it.each([
    undefined,
    null,
    'x-death',
    { 'x-death': 'rejected' },
    { 'x-death': [] },
    { 'x-death': [null, 1] },
    { 'x-death': [{ queue: 7, reason: 'expired' }] },
    { 'x-millrace-reason': { a: [1] } },
    { 'x-millrace-reason': '' },
  ])('makes do with garbage: %j', (headers) => {
    expect(causeOfDeath(headers)).toEqual({ reason: 'it was put there without a reason' });
  });

  it('makes do with a death of which only a part can be read', () => {
    const headers = { 'x-death': [{ queue: 'q', reason: 'expired', exchange: 1, 'routing-keys': 'k' }] };
    expect(causeOfDeath(headers)).toMatchObject({ queue: 'q', reason: expect.stringContaining('in time') });
  });

  it('knows how often it was delivered, and prefers the count of the queue that it was moved from', () => {
    expect(causeOfDeath({ 'x-delivery-count': 3 }).deliveryCount).toBe(3);
    expect(causeOfDeath({ 'x-delivery-count': 1, 'x-millrace-delivery-count': 7 }).deliveryCount).toBe(7);
    for (const count of [0, -1, '3', null])
      expect(causeOfDeath({ 'x-delivery-count': count }).deliveryCount).toBeUndefined();
  });

  it('knows the queue that Millrace moved it from', () => {
    expect(causeOfDeath({ 'x-millrace-queue': 'scrape_results' })).toMatchObject({
      queue: 'scrape_results',
      routingKey: 'scrape_results',
    });
  });
});
