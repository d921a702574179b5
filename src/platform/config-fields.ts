import {
  address,
  adminKey,
  duration,
  exchangeName,
  field,
  folder,
  group,
  hostLimits,
  moment,
  nameServers,
  networks,
  oneOf,
  optional,
  percentage,
  ports,
  proxyNetworks,
  queueName,
  queuePatterns,
  rateLimits,
  requestRate,
  roles,
  scrapeQueueName,
  secretKeys,
  setOf,
  text,
  typeNames,
  webAddress,
  wholeNumber,
} from './config-field-types.js';
import { OPERATION_GROUPS } from './config-fields-operation.js';
import { inMilliseconds, otherName, rabbitmqParts, rateLimit } from './config-other-names.js';

const importFlush = duration('0s', '10m');

/** `Config`, `.env.example`, `docs/configuration.md` and `millrace config` are made from this table. */
export const GROUPS = [
  group('Server', [
    field('HOST', 'host', text, '127.0.0.1', { about: 'Address to listen on.' }),
    field('PORT', 'port', wholeNumber(0, 65535), '3000', {
      about:
        'Port to listen on. A process without the api role listens only if PORT is set, and then answers only health checks.',
    }),
    optional('MILLRACE_PUBLIC_URL', 'publicUrl', webAddress(), {
      about:
        'Address under which users reach Millrace, if it differs from HOST and PORT. An https address turns on Secure cookies.',
    }),
    field('MILLRACE_TRUST_PROXIES', 'trustProxies', proxyNetworks, '', {
      about:
        'Proxies whose X-Forwarded-For header is trusted, such as 127.0.0.1,10.0.0.0/8. Behind any other proxy all callers share one address in the limits on sign-ins and unknown keys.',
    }),
    field('MILLRACE_ROLES', 'roles', roles, 'api,scheduler,worker', {
      about: 'Roles of this process: any of api, scheduler and worker.',
    }),
    field('MILLRACE_QUEUES', 'queues', queuePatterns, '*', {
      about:
        'Queues whose jobs this process runs, with * for any characters: publish-facebook,fetch-*. Every queue needs a process with the worker role that serves it; `millrace queues` lists their names.',
    }),
    field('MILLRACE_DATA_DIR', 'dataDir', folder, './data', {
      about: 'Folder of the embedded PostgreSQL and of generated secrets, such as the first admin key.',
    }),
    field('MILLRACE_DRAIN', 'drainMs', duration('0s', '10m'), '0s', {
      about:
        'After SIGTERM a process reports that it is not ready and continues to answer requests for this time, so that load balancers notice.',
      alias: 'MILLRACE_DRAIN_MS',
    }),
    field('MILLRACE_SHUTDOWN', 'shutdownMs', duration('0s', '1h'), '30s', {
      about: 'Running jobs have this time to finish after SIGTERM or Ctrl+C. The others are returned to the queue.',
      alias: 'MILLRACE_SHUTDOWN_MS',
    }),
    field('MILLRACE_MEMORY_SHARE', 'memoryPercent', percentage(20, 99), '85%', {
      about:
        'Share of its heap above which a process takes no jobs and no heavy requests until memory is free again. Node.js limits the heap with NODE_OPTIONS=--max-old-space-size=4096 (megabytes).',
    }),
  ]),
  group('Databases', [
    optional('DATABASE_URL', 'databaseUrl', address('postgres:', 'postgresql:'), {
      about: 'PostgreSQL 13 or newer, in place of the embedded one: postgres://user:password@host:5432/database.',
      secret: true,
    }),
    optional('REDIS_URL', 'redisUrl', address('redis:', 'rediss:'), {
      about:
        'Redis for queues and request limits, in place of PostgreSQL, and for cached timelines: redis://host:6379.',
      secret: true,
    }),
  ]),
  group('Access', [
    optional('MILLRACE_ADMIN_KEY', 'adminKey', adminKey, {
      about:
        'Admin key to use in place of the one that the first start generates. Changing or removing it revokes the previous one; if no other admin key exists, one is generated again. Set the same value in every process with the api role.',
      secret: true,
    }),
    field('MILLRACE_OPEN_PATHS', 'openPaths', setOf('docs', 'admin', 'metrics'), '', {
      about:
        'Paths that need no admin key: any of docs (/docs and /openapi.json), admin (/admin/queues) and metrics (/metrics).',
    }),
    field('MILLRACE_REQUESTS_PER_MINUTE', 'requestsPerMinute', wholeNumber(1, 1_000_000, 'requests'), '600', {
      about:
        'API requests that each user may send per minute, with all their keys together. Each admin key is counted separately.',
    }),
  ]),
  group('Outgoing requests', [
    field('MILLRACE_ALLOW_NETWORKS', 'allowNetworks', networks, '', {
      about:
        'Special addresses that outgoing requests may reach although they are refused by default, such as 127.0.0.1,10.0.0.0/8,fd00::/8.',
    }),
    field('MILLRACE_ALLOW_PORTS', 'allowPorts', ports, '', {
      about:
        'Ports of other protocols that outgoing requests may use although browsers refuse them, such as 6000,10080.',
    }),
    field('MILLRACE_DNS_SERVERS', 'dnsServers', nameServers, '', {
      about:
        'Name servers for outgoing requests, in place of those in /etc/resolv.conf, such as 9.9.9.9,127.0.0.1:5353,[::1]:53.',
    }),
    field('MILLRACE_HOST_CONCURRENCY', 'hostConcurrency', wholeNumber(1, 100, 'requests'), '2', {
      about: 'Maximum concurrent outgoing requests to one host (registrable domain), in each process.',
    }),
    field('MILLRACE_HOST_LIMITS', 'hostLimits', hostLimits, '', {
      about:
        'Requests per minute that hosts accept from all features and processes together, such as example.org=60,api.example.org=600. A host is a registrable domain; a name given here is counted separately, with all its subdomains. Other limits are learned from the responses of hosts, and `millrace hosts` shows them. Set the same value in every process.',
    }),
    optional('MILLRACE_CONTACT_URL', 'contactUrl', webAddress('mailto:'), {
      about: 'Contact address that the User-Agent header shows to the sites that are fetched.',
    }),
  ]),
  group('Fetching', [
    field('MILLRACE_POLICY', 'policy', oneOf('adaptive', 'tiers'), 'adaptive', {
      about:
        'How often sources are fetched. The tiers policy decides by the number of active followers. The adaptive policy spends as many requests as the tiers would, but where and when posts are expected.',
    }),
    optional('MILLRACE_REQUEST_BUDGET', 'requestBudget', wholeNumber(1, 1_000_000_000, 'requests per hour'), {
      about:
        'Requests that the adaptive policy spends, in place of the number that the tiers would spend. Intervals that followers prefer may cost half of it; what they cost beyond that is added to the budget.',
    }),
    field('MILLRACE_ACTIVE_WINDOW', 'activeWindowMs', duration('1s', '3650d'), '24h', {
      about: 'Users seen within this time are active. Sources without active followers are not fetched.',
    }),
    field('MILLRACE_RECALC', 'recalcMs', duration('100ms', '24h'), '5m', {
      about: 'How often the active followers of all sources are counted again.',
      alias: 'MILLRACE_RECALC_MS',
    }),
    field('MILLRACE_MIN_INTERVAL', 'minIntervalMs', duration('1s', '24h'), '1m', {
      about: 'Shortest interval between two fetches of one source.',
    }),
    field('MILLRACE_FETCH_CONCURRENCY', 'fetchConcurrency', wholeNumber(1, 1_000, 'fetches'), '50', {
      about:
        'Concurrent fetches of each type of source, in each process. Up to four more may run for users who have nothing running; the same holds for imports, scrape jobs and publications.',
    }),
    field('MILLRACE_WEBSUB_LEASE', 'websubLeaseMs', duration('10s', '365d'), '10d', {
      about: 'For how long WebSub hubs are asked to push new posts. Hubs are used only if MILLRACE_PUBLIC_URL is set.',
    }),
    field('MILLRACE_WEBSUB_SAFETY', 'websubSafetyMs', duration('1s', '24h'), '24h', {
      about: 'How often a source is fetched although a hub pushes its posts.',
    }),
    field('MILLRACE_ICONS', 'icons', oneOf('on', 'off'), 'on', {
      about:
        'Whether the icons of sites are fetched, to be shown beside their sources: a few requests to a site a month.',
    }),
    field('MILLRACE_YOUTUBE_URL', 'youtubeUrl', webAddress(), 'https://www.youtube.com/', {
      about: 'Base URL of the YouTube feeds.',
    }),
    field('MILLRACE_BLUESKY_URL', 'blueskyUrl', webAddress(), 'https://public.api.bsky.app/', {
      about: 'Base URL of the public Bluesky API.',
    }),
    optional('MILLRACE_MASTODON_URL', 'mastodonUrl', webAddress(), {
      about: "URL of a Mastodon instance to use for all accounts, in place of each account's own.",
    }),
  ]),
  group('Posts and timelines', [
    field('MILLRACE_CACHE_TTL', 'cacheTtlMs', duration('1s', '24h'), '5m', {
      about:
        'How long timelines are cached. Reading a timeline fetches those of its sources that were last fetched longer ago than this.',
    }),
    field('MILLRACE_KEEP_AGE', 'keepAgeMs', duration('1d', '36500d'), '365d', {
      about: 'Posts older than this are removed. The newest 50 posts of a source and starred posts are kept.',
    }),
    field('MILLRACE_KEEP_POSTS', 'keepPosts', wholeNumber(50, 10_000_000, 'posts'), '5000', {
      about: 'Maximum number of posts kept per source. Older ones are removed, except starred posts.',
    }),
  ]),
  group('Imports', [
    field('MILLRACE_IMPORT_BATCH', 'importBatch', wholeNumber(1, 10_000, 'items'), '100', {
      about: 'Number of items written in one batch.',
      others: otherName('WORKER_BATCH_SIZE'),
    }),
    field('MILLRACE_IMPORT_FLUSH', 'importFlushMs', importFlush, '3s', {
      about: 'How long the first item of a batch waits for others while the pages of an archive arrive.',
      alias: 'MILLRACE_IMPORT_FLUSH_MS',
      others: inMilliseconds('WORKER_FLUSH_MS', importFlush),
    }),
    field('MILLRACE_IMPORT_CONCURRENCY', 'importConcurrency', wholeNumber(1, 1_000, 'jobs'), '10', {
      about: 'Maximum concurrent feeds, and maximum concurrent batches, in each process.',
      others: otherName('WORKER_CONCURRENCY'),
    }),
    field('MILLRACE_IMPORT_RATE', 'importRate', requestRate(100_000), '100', {
      about: 'Maximum requests of imports to one host, from all processes together.',
      others: rateLimit,
    }),
    field('MILLRACE_IMPORT_QUEUE', 'importQueue', queueName, 'import-items', {
      about:
        'Name in BullMQ of the queue of items, for dashboards that look for another one. Millrace itself calls it import-items. Set the same value in every process. Jobs that wait are enqueued again in the new queue.',
      others: otherName('BULL_QUEUE_NAME'),
    }),
  ]),
  group('Leads', [
    field('MILLRACE_SCRAPE_CONCURRENCY', 'scrapeConcurrency', wholeNumber(1, 1_000, 'searches'), '5', {
      about: 'Source types that are searched concurrently, in each process.',
    }),
    field('MILLRACE_SCRAPE_TIMEOUT', 'scrapeTimeoutMs', duration('1s', '24h'), '15m', {
      about: 'Timeout for searching one source type.',
    }),
    field('MILLRACE_SCRAPE_MOST_LEADS', 'scrapeMostLeads', wholeNumber(1, 100_000, 'leads'), '1000', {
      about: 'Maximum number of leads of one search.',
    }),
    optional('MILLRACE_SEARCH_PROVIDER', 'searchProvider', oneOf('searxng', 'brave', 'serper', 'google'), {
      about:
        'Web search that the types google and linkedin use. Without it, it is searxng if MILLRACE_SEARCH_URL is set, or google if its key and engine are set. Otherwise the types google and linkedin are refused.',
    }),
    optional('MILLRACE_SEARCH_URL', 'searchUrl', webAddress(), {
      about:
        'Base URL of the search provider. SearXNG needs it, and a private address of it must also be in MILLRACE_ALLOW_NETWORKS; Brave Search and Serper have defaults.',
    }),
    optional('MILLRACE_SEARCH_KEY', 'searchKey', text, {
      about: 'API key for Brave Search or Serper.',
      secret: true,
    }),
    field('MILLRACE_GOOGLE_URL', 'googleUrl', webAddress(), 'https://customsearch.googleapis.com/', {
      about: 'Base URL of Google Programmable Search, which ends on 2027-01-01.',
    }),
    optional('MILLRACE_GOOGLE_KEY', 'googleKey', text, {
      about: 'API key for Google Programmable Search.',
      secret: true,
    }),
    optional('MILLRACE_GOOGLE_ENGINE', 'googleEngine', text, {
      about: 'Search engine ID for Google Programmable Search.',
    }),
    field('MILLRACE_CRUNCHBASE_URL', 'crunchbaseUrl', webAddress(), 'https://api.crunchbase.com/', {
      about: 'Base URL of the Crunchbase API.',
    }),
    optional('MILLRACE_CRUNCHBASE_KEY', 'crunchbaseKey', text, {
      about: 'API key for Crunchbase. Without it the type crunchbase is refused.',
      secret: true,
    }),
    field('MILLRACE_OVERPASS_URL', 'overpassUrl', webAddress(), 'https://overpass-api.de/', {
      about: 'Base URL of the Overpass API of OpenStreetMap.',
    }),
  ]),
  group('Publishing', [
    field('MILLRACE_SECRET_KEYS', 'secretKeys', secretKeys, '', {
      about:
        'Keys that encrypt the credentials of accounts. The first key encrypts; the others can still decrypt. Without any, a key is generated and kept in the data folder. Set the same value in every process.',
      secret: true,
    }),
    optional('MILLRACE_RESTORED', 'restored', moment, {
      about:
        'Time of the backup after a restore that Millrace cannot notice by itself. Publishing is held until `millrace restore-check` has run, once for each value.',
    }),
    field('MILLRACE_PUBLISH_GRACE', 'publishGraceMs', duration('1m', '365d'), '24h', {
      about: 'A post that could not be published within this time after it was due expires.',
    }),
    field('MILLRACE_PUBLISH_CALL', 'publishCallMs', duration('500ms', '10m'), '30s', {
      about:
        'Timeout of the call that makes a post visible. If the process dies during the call, Millrace looks for the post on the platform after this time.',
      alias: 'MILLRACE_PUBLISH_CALL_MS',
    }),
    field('MILLRACE_PLATFORM_LIMITS', 'platformLimits', rateLimits, '', {
      about:
        'Posts that a platform accepts from all users together, where this differs from the built-in limits (facebook=200/1h,instagram=100/1h,linkedin=20/24h,youtube=100/1h). The value none removes a limit.',
    }),
    field('MILLRACE_USER_LIMITS', 'userLimits', rateLimits, '', {
      about:
        'Posts that a platform accepts from each user, where this differs from the built-in limits (facebook=200/1h,instagram=100/1h,linkedin=20/24h,youtube=100/1h). The value none removes a limit.',
    }),
    field('MILLRACE_MEDIA_BYTES', 'mediaBytes', wholeNumber(1_000, 2_000_000_000, 'bytes'), '100000000', {
      about: 'Maximum size of a photo or video that is published.',
    }),
    field('MILLRACE_FACEBOOK_URL', 'facebookUrl', webAddress(), 'https://graph.facebook.com/', {
      about: 'Base URL of the Facebook API.',
    }),
    field('MILLRACE_INSTAGRAM_URL', 'instagramUrl', webAddress(), 'https://graph.facebook.com/', {
      about: 'Base URL of the Instagram API.',
    }),
    field('MILLRACE_LINKEDIN_URL', 'linkedinUrl', webAddress(), 'https://api.linkedin.com/', {
      about: 'Base URL of the LinkedIn API.',
    }),
    field('MILLRACE_YOUTUBE_API_URL', 'youtubeApiUrl', webAddress(), 'https://www.googleapis.com/', {
      about: 'Base URL of the YouTube API.',
    }),
    field('MILLRACE_GOOGLE_TOKEN_URL', 'googleTokenUrl', webAddress(), 'https://oauth2.googleapis.com/token', {
      about: 'URL where Google issues access tokens for YouTube.',
    }),
  ]),
  group('Remote workers', [
    optional('RABBITMQ_URL', 'rabbitmqUrl', address('amqp:', 'amqps:'), {
      about:
        'RabbitMQ, over which services in other languages work for Millrace and send it jobs: amqp://user:password@host:5672. Without it, types that need a remote worker cannot be followed. See docs/workers.md.',
      secret: true,
      others: rabbitmqParts,
    }),
    optional('RABBITMQ_MANAGEMENT_URL', 'rabbitmqManagementUrl', webAddress(), {
      about:
        'Management API of RabbitMQ, from which Millrace reads unacknowledged messages and message rates of its queues: http://user:password@host:15672. Without a user, that of RABBITMQ_URL is used. Without a value, or while it fails, only ready messages and consumers are known.',
      secret: true,
      others: otherName('MILLRACE_RABBITMQ_MANAGEMENT_URL'),
    }),
    field('MILLRACE_RABBITMQ_EXCHANGE', 'rabbitmqExchange', exchangeName, 'source.fetcher', {
      about: 'Name of the direct exchange for commands to workers.',
    }),
    field('MILLRACE_RABBITMQ_QUEUE_TYPE', 'rabbitmqQueueType', oneOf('quorum', 'classic'), 'quorum', {
      about: 'Type of the queues that Millrace declares. Existing queues are not changed.',
    }),
    field('MILLRACE_REMOTE_TYPES', 'remoteTypes', typeNames, 'instagram,twitter', {
      about:
        'Types of sources that workers fetch, each over its queue fetch.<type>. A type that Millrace could fetch itself, such as rss, is then fetched by workers too.',
    }),
    field('MILLRACE_REMOTE_SCRAPERS', 'remoteScrapers', typeNames, '', {
      about: 'Types of scrapers that workers run, each over its queue scrape.<type>.',
    }),
    field('MILLRACE_REMOTE_TIMEOUT', 'remoteTimeoutMs', duration('1s', '1h'), '5m', {
      about: 'How long Millrace waits for the answer of a worker, including the time in the queue.',
    }),
    field('MILLRACE_REMOTE_CONCURRENCY', 'remoteConcurrency', wholeNumber(1, 5_000, 'commands'), '20', {
      about: 'Commands of each type that wait for an answer concurrently, from each process.',
    }),
    field('MILLRACE_SCRAPE_QUEUE', 'scrapeQueue', scrapeQueueName, 'scrape_jobs', {
      about: 'Name of the queue with scrape jobs from other services.',
      others: otherName('QUEUE_NAME'),
    }),
    field('MILLRACE_SCRAPE_PREFETCH', 'scrapePrefetch', wholeNumber(1, 1_000, 'messages'), '1', {
      about: 'Number of messages that a process prefetches from that queue, or from scrape_results.',
      others: otherName('PREFETCH_COUNT'),
    }),
    optional('MILLRACE_SCRAPE_MESSAGE_TTL', 'scrapeMessageTtlMs', duration('1s', '365d'), {
      about: 'How long a message may wait in that queue. Without a value it never expires.',
    }),
    field('MILLRACE_SCRAPE_QUEUE_FORM', 'scrapeQueueForm', oneOf('plain', 'dead-letter', 'wait'), 'plain', {
      about:
        'How Millrace declares that queue, for senders and workers that declare it too: plain, without arguments; dead-letter, with x-dead-letter-exchange dlx and x-dead-letter-routing-key failed_jobs; wait, not at all until somebody else has declared it.',
    }),
    field('MILLRACE_SCRAPE_INTAKE', 'scrapeIntake', oneOf('on', 'off'), 'on', {
      about:
        'on: Millrace takes scrape jobs from that queue and searches itself. off: Millrace publishes its scrape jobs there for a worker of yours, and takes the results from scrape_results. The same in every process.',
    }),
    field('MILLRACE_SCRAPE_RESULT_TIMEOUT', 'scrapeResultTimeoutMs', duration('1s', '30d'), '1h', {
      about:
        'With MILLRACE_SCRAPE_INTAKE=off: how long a published job may remain without a result, counted from its publication and from each result with the status running.',
    }),
  ]),
  ...OPERATION_GROUPS,
];

export type AnyField = (typeof GROUPS)[number]['fields'][number];
export const FIELDS: readonly AnyField[] = GROUPS.flatMap<AnyField>(({ fields }) => fields);
