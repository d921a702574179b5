import { expect, it, vi } from 'vitest';
import { EventSource } from '../../../test/feeds/event-source.js';
import { testDatabase } from '../../../test/harness/database.js';
import { adminKey, startPublishing, startWebhook } from '../../../test/publishing/publisher.js';

const db = testDatabase();

it('reports the progress of publications to their users, and to nobody else', async () => {
  const { given } = await startWebhook();
  const millrace = await startPublishing(db.url);
  await millrace.app.listen({ host: '127.0.0.1', port: 0 });
  const watch = async (user: string) => {
    const headers = { authorization: `Bearer ${adminKey}`, 'x-millrace-user': user };
    return EventSource.open(`${await millrace.app.getUrl()}/api/v1/publications/stream`, headers);
  };
  const [annas, bens] = [await watch('anna'), await watch('ben')];
  const anna = millrace.as('anna');
  const { id: accountId } = await anna.account(given);
  const { id } = await anna.publish({ accountId, content: { text: 'Watched' } });
  const expiring = await anna.publish({
    accountId,
    content: { text: 'Too late' },
    scheduledAt: new Date(Date.now() + 700).toISOString(),
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
  });
  await anna.send('DELETE', `/publications/${expiring.id}`);
  const told = () =>
    annas.told.filter(({ event }) => event === 'publication').map(({ data }) => `${data.id} ${data.status}`);
  await vi.waitFor(
    () => expect(told()).toEqual(expect.arrayContaining([`${id} published`, `${expiring.id} cancelled`])),
    15_000,
  );
  expect(annas.told[0]?.event).toBe('reset');
  expect(bens.told.map(({ event }) => event)).toEqual(['reset']);
});

it('tells that one has expired', async () => {
  const { given } = await startWebhook();
  const millrace = await startPublishing(db.url);
  await millrace.app.listen({ host: '127.0.0.1', port: 0 });
  const headers = { authorization: `Bearer ${adminKey}`, 'x-millrace-user': 'carl' };
  const stream = await EventSource.open(`${await millrace.app.getUrl()}/api/v1/publications/stream`, headers);
  const carl = millrace.as('carl');
  const { id: accountId } = await carl.account(given);
  const scheduledAt = new Date(Date.now() + 60_000).toISOString();
  const { id } = await carl.publish({ accountId, content: { text: 'Late' }, scheduledAt });
  const late = new Date(Date.now() - 1_000);
  await db.database.pool.query('UPDATE publications SET expires_at = $1 WHERE id = $2', [late, id]);
  await vi.waitFor(() => expect(stream.told.at(-1)?.data).toMatchObject({ id, status: 'expired' }), 15_000);
});
