import { createHmac } from 'node:crypto';
import { SubscriptionsStore } from '../../src/fetching/websub/subscriptions.store.js';
import { Database } from '../../src/platform/database/database.js';
import type { Api } from '../harness/api.js';

interface Pushed {
  body: string | Buffer;
  secret?: string;
  token?: string;
  self?: string;
}

/** Pushes what a hub would push to a Millrace without a public address. */
export async function pretendedHub(
  { app }: Pick<Api, 'app'>,
  { sourceId, topic }: { sourceId: string; topic: string },
) {
  const store = app.get(SubscriptionsStore);
  return {
    begin: () => store.begin(app.get(Database).db, sourceId, { hubs: ['https://hub.example/'], topic }),
    async push({ body, self = topic, ...given }: Pushed): Promise<void> {
      const { token, secret } = { ...(await store.findOf(sourceId)), ...given };
      const signature = createHmac('sha256', secret ?? '')
        .update(body)
        .digest('hex');
      const headers = {
        'content-type': 'application/rss+xml',
        link: `<${self}>; rel="self"`,
        'x-hub-signature': `sha256=${signature}`,
      };
      await app.inject({ method: 'POST', url: `/websub/${token}`, headers, payload: body });
    },
  };
}
