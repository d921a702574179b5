import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { redisUrl } from '../../../test/harness/redis.js';
import { noteJob, TasksModule } from '../../../test/queue/tasks.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { OperationsModule } from '../operations.module.js';
import { serveQueueBoard } from './queue-board.js';

describe.each(['PostgreSQL', 'Redis'])('bull-board on %s', (backend) => {
  const given = testDatabase();
  const redis = backend === 'Redis' ? redisUrl() : undefined;
  let api: Api;

  beforeAll(async () => {
    const config = { redisUrl: redis, roles: new Set(['api' as const]) };
    const modules = [OperationsModule, TasksModule];
    api = await startApi({ databaseUrl: given.url, config, modules, extend: serveQueueBoard });
  });
  afterAll(() => api?.stop());

  it('shows every queue and what waits in it', async () => {
    await api.app.get(Jobs).enqueue(noteJob, [{ key: 'a', data: { text: 'a', fails: false } }]);
    const response = await api.send({ url: '/admin/queues/api/queues', key: api.adminKey });
    const counts = response.json().queues.map(({ name, counts }: { name: string; counts: object }) => [name, counts]);
    expect(Object.fromEntries(counts)).toMatchObject({ task: { waiting: 0 }, note: { waiting: 1 } });
  });

  it('serves its page to admins', async () => {
    const page = await api.send({ url: '/admin/queues', key: api.adminKey });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
  });

  it.each(['/admin/queues', '/admin/queues/api/queues', '/admin/queues/static/favicon-32x32.png'])(
    'keeps everybody else out of %s',
    async (url) => {
      expect((await api.send({ url })).statusCode).toBe(401);
      const made = await api.send({ method: 'POST', url: '/api/v1/users', key: api.adminKey, payload: {} });
      const payload = { userId: made.json().id, scope: 'user' };
      const { key } = (await api.send({ method: 'POST', url: '/api/v1/keys', key: api.adminKey, payload })).json();
      expect((await api.send({ url, key })).statusCode).toBe(403);
    },
  );
});
