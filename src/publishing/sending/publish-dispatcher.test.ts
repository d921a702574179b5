import { expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { startPublishing, startWebhook } from '../../../test/publishing/publisher.js';
import { PublishDispatcher, ROUND_INTERVAL_MS } from './publish-dispatcher.js';

const db = testDatabase();
/** More than half of what a queue takes at first, so that it counts as full and still has room. */
const QUEUED = 15;

it('comes back soon to a full queue, also after it has looked for posts of other users', async () => {
  const { given } = await startWebhook();
  // Without workers the queue stays full, and without the scheduler only this test hands out.
  const { app, as } = await startPublishing(db.url, { roles: new Set(['api']) });
  const { id: accountId } = await as('anna').account(given);
  const store = () =>
    db.database.pool.query(
      `INSERT INTO publications (user_id, account_id, platform, content, scheduled_at, job_state)
       SELECT user_id, id, platform, jsonb_build_object('text', 'Post ' || n, 'mediaUrls', '[]'::jsonb),
         now() - interval '1 minute', 'idle'
       FROM accounts, generate_series(1, $2) AS n WHERE id = $1`,
      [accountId, QUEUED],
    );
  const dispatcher = app.get(PublishDispatcher);
  await store();
  await dispatcher.handOut();
  await store();
  expect(await dispatcher.handOut()).toBeLessThan(ROUND_INTERVAL_MS);
  const { rows } = await db.database.pool.query('SELECT status, count(*)::int FROM publications GROUP BY 1 ORDER BY 1');
  expect(rows).toEqual([
    { status: 'queued', count: QUEUED },
    { status: 'scheduled', count: QUEUED },
  ]);
});
