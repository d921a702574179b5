import { describe, expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../../../../test/harness/database.js';
import { FakeWebhookPublishing, WEBHOOK_SECRET } from '../../../../test/platforms/fake-webhook-publishing.js';
import { content, failureOf, publishingTools, wordsOf } from '../../../../test/platforms/publishing-tools.js';
import type { Content, PublishCommand } from '../../platform.js';
import { webhook } from './webhook.js';

const store = testDatabase();
const KEY = 'a1'.repeat(16);
const PATH = 'hooks/T0secret?token=t%201';

async function newReceiver() {
  const receiver = await FakeWebhookPublishing.startApart();
  onTestFinished(() => receiver.close());
  const tools = publishingTools(store.database);
  const credentials = webhook.credentials.parse({ url: receiver.url + PATH, secret: WEBHOOK_SECRET });
  const publish = (given: Partial<Content>, fields: Partial<PublishCommand> = {}) => {
    const command = { content: content(given), credentials, key: KEY, intendedAt: new Date(), progress: undefined };
    return webhook.publish({ ...command, ...fields }, tools);
  };
  return { receiver, tools, credentials, publish };
}

describe('a publication', () => {
  it('is sent whole and signed, and is known by its key', async () => {
    const { receiver, publish } = await newReceiver();
    const given = {
      text: 'Grüße\ud800 "1"',
      link: 'https://example.org/',
      title: 'T',
      mediaUrls: ['https://files.example/cat.png'],
    };
    expect(await publish(given)).toEqual({ postId: KEY, url: undefined });
    expect(receiver.posts.map(({ message }) => message)).toEqual([{ type: 'publication', id: KEY, ...given }]);
    expect(receiver.calls).toEqual(['POST /hooks/T0secret (publication)']);
  });

  it('is known by what the receiver calls it', async () => {
    const { receiver, publish } = await newReceiver();
    receiver.receipt = { id: 'post-7', url: 'https://blog.example/7', more: 1 };
    expect(await publish({ text: 'Hello' })).toEqual({ postId: 'post-7', url: 'https://blog.example/7' });
  });

  it.each([
    ['a page', '<html>thanks'],
    ['a number', '7'],
    ['nothing of use', { id: 7, url: 'javascript:alert(1)' }],
    ['half an answer', '{"id": "po'],
  ])('is published where the receiver answers 2xx with %s', async (_, receipt) => {
    const { receiver, publish } = await newReceiver();
    receiver.receipt = receipt;
    expect(await publish({ text: 'Hello' })).toEqual({ postId: KEY, url: undefined });
  });

  it('has the same key and body in every try, and a signature of its own', async () => {
    const { receiver, tools, publish } = await newReceiver();
    await publish({ text: 'Once' });
    tools.now = () => new Date(Date.now() + 60_000);
    await publish({ text: 'Once' });
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['idempotency-key']).toBe(KEY);
    expect(second?.headers['x-millrace-signature']).not.toBe(first?.headers['x-millrace-signature']);
    expect(receiver.posts).toHaveLength(1);
  });

  it('is shown twice by a receiver that ignores the key', async () => {
    const { receiver, publish } = await newReceiver();
    receiver.honoursKeys = false;
    await publish({ text: 'Once' });
    await publish({ text: 'Once' });
    expect(receiver.posts).toHaveLength(2);
  });
});

describe('a receiver that fails', () => {
  it.each([
    [400, 'REFUSED'],
    [409, 'UNCERTAIN'],
    [410, 'REFUSED'],
    [304, 'UNCERTAIN'],
  ])('with %i is judged as %s, and its words tell no secret', async (status, code) => {
    const { receiver, publish } = await newReceiver();
    const message = `${WEBHOOK_SECRET} ${JSON.stringify(WEBHOOK_SECRET)} /${PATH}`;
    receiver.refuse({ status, ...(status !== 304 && { body: { message } }) });
    const failure = await failureOf(publish({ text: 'Hello' }));
    const said = status === 304 ? '' : ': (hidden) "(hidden)" (hidden)';
    expect(failure).toMatchObject({ code, message: `the webhook answered ${status}${said}` });
  });

  it('is heard out whatever its address looks like', async () => {
    const { receiver, publish } = await newReceiver();
    const url = receiver.url.replace('http://', 'http://user:pass%zz%20word@');
    receiver.refuse({ status: 400, body: { message: 'not pass%zz word' } });
    const failure = await failureOf(publish({ text: 'Hello' }, { credentials: { url, secret: WEBHOOK_SECRET } }));
    expect(failure).toMatchObject({ code: 'REFUSED', message: 'the webhook answered 400: not (hidden)' });
  });

  it('says when to come back', async () => {
    const { receiver, publish } = await newReceiver();
    receiver.plan('too many');
    const { until } = await failureOf(publish({ text: 'Hello' }));
    expect(until?.getTime()).toBeGreaterThan(Date.now());
  });

  it('by being away has certainly shown nothing', async () => {
    const { receiver, publish } = await newReceiver();
    await receiver.close();
    const failure = await failureOf(publish({ text: 'Hello' }));
    expect(failure.code).toBe('UNREACHABLE');
    expect(wordsOf(failure)).not.toContain('T0secret');
  });

  it('at an address that is not allowed is sent nothing', async () => {
    const { publish } = await newReceiver();
    const credentials = { url: 'http://169.254.169.254/latest', secret: 'x' };
    expect((await failureOf(publish({ text: 'Hello' }, { credentials }))).code).toBe('REFUSED');
  });
});

describe('credentials', () => {
  it('are tried with a ping, which shows nothing', async () => {
    const { receiver, tools, credentials } = await newReceiver();
    const { id, name } = await webhook.whose(credentials, tools);
    expect(name).toBe(new URL(receiver.url).host);
    expect(`${id}${name}`).not.toContain('T0secret');
    expect(receiver.pings).toHaveLength(1);
    expect(receiver.posts).toEqual([]);
  });

  it('with another secret are found out, and not told', async () => {
    const { receiver, tools, credentials } = await newReceiver();
    receiver.secret = 'another';
    const failure = await failureOf(webhook.whose(credentials, tools));
    expect(failure.code).toBe('AUTH_ERROR');
    expect(wordsOf(failure)).not.toContain(WEBHOOK_SECRET);
  });
});

describe('what a webhook takes', () => {
  it('is anything but nothing', () => {
    expect(webhook.check(content({ text: 'x'.repeat(100_000) }), undefined)).toEqual([]);
    expect(webhook.check(content({ text: ' ' }), undefined)).toMatchObject([{ path: 'text' }]);
  });
});
