import { expect, it } from 'vitest';
import { type WantedAlert, WatchedFleet } from '../fleet/watched-fleet.js';
import { ownPostgres } from '../harness/postgres.js';
import { rabbitmqUrl } from '../harness/rabbitmq.js';
import { redisUrl } from '../harness/redis.js';
import { lineTo } from '../scraping/cut-line.js';

const postgres = ownPostgres();
const redis = redisUrl();
const rabbitmq = rabbitmqUrl();

const SAYS = { redis: 'Redis does not respond', rabbitmq: 'RabbitMQ does not respond' };
const down = (subject: string): WantedAlert => ({ code: 'dependency_down', severity: 'critical', subject });

it('tells of servers that fall silent without hanging up, and of its own database', { timeout: 600_000 }, async () => {
  const lines = { redis: await lineTo(redis), rabbitmq: await lineTo(rabbitmq) };
  const environment = { DATABASE_URL: postgres.url, REDIS_URL: lines.redis.url, RABBITMQ_URL: lines.rabbitmq.url };
  const watched = await WatchedFleet.start(environment, 1);
  const told: string[] = [];
  for (const name of ['redis', 'rabbitmq'] as const) {
    const line = lines[name];
    line.hold();
    told.push(`${name} falls silent: ${await watched.raised({ ...down(name), says: SAYS[name] })}`);
    line.cut();
    told.push(`and is back: ${await watched.cleared({ ...down(name), says: SAYS[name] })}`);
  }
  await postgres.kill();
  told.push(`PostgreSQL is killed: ${await watched.raised(down('postgres'))}`);
  await postgres.restart();
  told.push(`and is back: ${await watched.cleared(down('postgres'))}`);
  process.stdout.write(`${told.join('\n')}\n`);
  const raised = watched.receiver.notices.filter(({ event }) => event === 'raised');
  expect(raised.map(({ code, subject }) => `${code} ${subject}`)).toEqual(
    ['redis', 'rabbitmq', 'postgres'].map((name) => `dependency_down ${name}`),
  );
});
