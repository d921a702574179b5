import { randomBytes } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { findFreePort } from '../../src/platform/database/embedded/free-port.js';
import { FakeHub } from '../fetching/fake-hub.js';
import { administer } from '../harness/administration.js';
import { newDataFolder } from '../harness/data-folder.js';
import { FeedSite } from '../harness/feed-site.js';
import { MARKED_USER } from '../harness/servers/rabbitmq-server.js';
import { FakeMastodonPublishing } from '../platforms/fake-mastodon-publishing.js';
import { FakeWebhookPublishing } from '../platforms/fake-webhook-publishing.js';
import { startMillrace } from '../program/millrace-process.js';
import { newDatabase } from '../program/new-database.js';
import { Collector } from '../tracing/collector.js';
import { CarelessSite } from './careless-site.js';
import { MarkedSecrets } from './marked-secrets.js';

/** Millrace in its own process, with marked secrets everywhere. Half of the servers repeat them. */
export async function startMarkedWorld({ redisUrl, rabbitmqUrl }: Servers) {
  const secrets = new MarkedSecrets();
  const [careless, site, hub, collector] = await Promise.all([
    CarelessSite.start(),
    FeedSite.start(),
    FakeHub.start(),
    Collector.start(),
  ]);
  const mastodon = await FakeMastodonPublishing.start();
  const webhook = await FakeWebhookPublishing.start();
  onTestFinished(() => Promise.all([mastodon.close(), webhook.close()]).then(() => undefined));
  const database = await markedDatabase(secrets);
  const port = await findFreePort();
  const adminKey = secrets.mark('admin key');
  const alertPath = secrets.note('alert webhook path', `a1Z${randomBytes(30).toString('base64url')}`);
  const millrace = startMillrace({
    PORT: String(port),
    MILLRACE_PUBLIC_URL: `http://127.0.0.1:${port}`,
    MILLRACE_DATA_DIR: newDataFolder(),
    DATABASE_URL: database.markedUrl,
    REDIS_URL: withPassword(redisUrl, 'default', secrets.mark('Redis password')),
    RABBITMQ_URL: markedRabbitmq(rabbitmqUrl, secrets),
    RABBITMQ_MANAGEMENT_URL: careless.url(8, '/', `watcher:${secrets.mark('RabbitMQ management password')}`),
    MILLRACE_ADMIN_KEY: adminKey,
    MILLRACE_SECRET_KEYS: secrets.mark('key of credentials'),
    MILLRACE_ALERT_WEBHOOK: careless.url(1, `/500/${alertPath}`, `alerts:${secrets.mark('alert webhook password')}`),
    MILLRACE_ALERT_SECRET: secrets.mark('alert webhook secret'),
    MILLRACE_GOOGLE_URL: careless.url(2, '/'),
    MILLRACE_GOOGLE_KEY: secrets.mark('Google key'),
    MILLRACE_GOOGLE_ENGINE: 'engine',
    MILLRACE_CRUNCHBASE_URL: careless.url(3, '/'),
    MILLRACE_CRUNCHBASE_KEY: secrets.mark('Crunchbase key'),
    MILLRACE_FACEBOOK_URL: careless.url(4, '/'),
    MILLRACE_INSTAGRAM_URL: careless.url(5, '/'),
    MILLRACE_LINKEDIN_URL: careless.url(6, '/'),
    MILLRACE_YOUTUBE_API_URL: careless.url(7, '/'),
    MILLRACE_GOOGLE_TOKEN_URL: careless.url(7, '/token'),
    MILLRACE_ALLOW_NETWORKS: '127.0.0.0/8',
    MILLRACE_LOG_LEVEL: 'debug',
    MILLRACE_REQUESTS_PER_MINUTE: '100000',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  return {
    millrace,
    secrets,
    adminKey,
    careless,
    site,
    hub,
    collector,
    rabbitmqUrl,
    mastodon,
    webhook,
    address: await millrace.address(),
    databaseUrl: database.url,
  };
}

interface Servers {
  redisUrl: string;
  rabbitmqUrl: string;
}

export type MarkedWorld = Awaited<ReturnType<typeof startMarkedWorld>>;

/** Creates an empty database whose owner has a marked password. */
async function markedDatabase(secrets: MarkedSecrets): Promise<{ url: string; markedUrl: string }> {
  const role = `marked_${randomBytes(6).toString('hex')}`;
  const password = secrets.mark('PostgreSQL password');
  await administer(inject('postgresUrl'), `CREATE ROLE ${role} SUPERUSER LOGIN PASSWORD '${password}'`);
  onTestFinished(() => administer(inject('postgresUrl'), `DROP ROLE ${role}`));
  const url = await newDatabase();
  return { url, markedUrl: withPassword(url, role, password) };
}

/** A configured server has no marked user. */
function markedRabbitmq(url: string, secrets: MarkedSecrets): string {
  if (inject('rabbitmq').given) return url;
  return withPassword(url, MARKED_USER.name, secrets.note('RabbitMQ password', MARKED_USER.password));
}

function withPassword(address: string, username: string, password: string): string {
  return Object.assign(new URL(address), { username, password }).href;
}
