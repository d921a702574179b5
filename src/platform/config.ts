import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import {
  address,
  hostLimitsOf,
  listOf,
  NAME_SERVERS,
  NameServer,
  NETWORKS,
  Network,
  ProxyNetwork,
  TYPE_NAMES,
  TypeName,
  webAddress,
  wholeNumber,
} from './config-fields.js';
import { StartupError } from './errors/startup-error.js';

export const CONFIG = Symbol('configuration');

export const Role = z.enum(['api', 'scheduler', 'worker']);
export type Role = z.infer<typeof Role>;

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `90s`, `5m`, `24h` or `30d` to milliseconds. A bare number is in seconds. */
export const duration = (min: string, max: string) => {
  const expected = `a duration from ${min} to ${max}, such as 90s, 5m, 24h or 30d`;
  const [least = 0, most = 0] = [inMs(min), inMs(max)];
  return z
    .string()
    .transform((text) => inMs(text.trim()) ?? Number.NaN)
    .refine((ms) => ms >= least && ms <= most, expected)
    .meta({ [IS_DURATION]: true });
};

/** Marks fields of the schema that are parsed to milliseconds but written with a unit. */
export const IS_DURATION = 'isDuration';

/** Formats milliseconds as a duration, such as `5m` for 300,000. */
export function durationText(ms: number): string {
  const [unit = 'ms', size = 1] = Object.entries(UNITS).findLast(([, size]) => ms % size === 0) ?? [];
  return `${ms / size}${unit}`;
}

function inMs(text: string): number | undefined {
  const [, amount, unit = 's'] = /^(\d{1,12})(ms|s|m|h|d)?$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * UNITS[unit as keyof typeof UNITS];
}

/** At most `most` events in any window of `windowMs`. */
export interface RateLimit {
  most: number;
  windowMs: number;
}

/** Parses `facebook=200/1h,mastodon=none`. Null removes a limit. */
const limitsOf = () =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
        .map(toLimit),
    )
    .refine((limits) => limits.every((limit) => limit !== undefined), 'limits such as facebook=200/1h,linkedin=none')
    .transform((limits) => new Map<string, RateLimit | null>(limits.filter((limit) => limit !== undefined)));

function toLimit(text: string): [string, RateLimit | null] | undefined {
  const [, platform = '', none, most, window = ''] =
    /^([a-z]+)=(?:(none)|(\d{1,9})\/(\d+(?:ms|s|m|h|d)?))$/.exec(text) ?? [];
  if (none) return [platform, null];
  const windowMs = inMs(window);
  return platform && Number(most) > 0 && windowMs ? [platform, { most: Number(most), windowMs }] : undefined;
}

/** Every variable that Millrace reads. `.env.example` lists the same ones; a test keeps the two equal. */
export const Environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65535).default(3000),
  MILLRACE_PUBLIC_URL: webAddress(['https:', 'http:']).optional(),
  MILLRACE_TRUST_PROXIES: listOf(ProxyNetwork, NETWORKS).default([]),
  MILLRACE_ROLES: listOf(Role, 'api, scheduler, worker')
    .pipe(z.array(Role).min(1, 'at least one role'))
    .default(['api', 'scheduler', 'worker']),
  MILLRACE_DATA_DIR: z.string().default('./data'),
  DATABASE_URL: address(['postgres:', 'postgresql:']).optional(),
  REDIS_URL: address(['redis:', 'rediss:']).optional(),
  RABBITMQ_URL: address(['amqp:', 'amqps:']).optional(),
  MILLRACE_RABBITMQ_EXCHANGE: z
    .string()
    .regex(/^[\w.:-]{1,200}$/, 'a name of letters, digits and . : _ -')
    .default('source.fetcher'),
  MILLRACE_RABBITMQ_QUEUE_TYPE: z.enum(['quorum', 'classic'], { error: 'quorum or classic' }).default('quorum'),
  MILLRACE_REMOTE_TYPES: listOf(TypeName, TYPE_NAMES).default(['instagram', 'twitter']),
  MILLRACE_REMOTE_SCRAPERS: listOf(TypeName, TYPE_NAMES).default([]),
  MILLRACE_REMOTE_TIMEOUT: duration('1s', '1h').default(5 * UNITS.m),
  MILLRACE_REMOTE_CONCURRENCY: wholeNumber(1, 5_000).default(20),
  MILLRACE_SCRAPE_PREFETCH: wholeNumber(1, 1_000).default(1),
  MILLRACE_SCRAPE_MESSAGE_TTL: duration('1s', '365d').optional(),
  MILLRACE_ADMIN_KEY: z
    .string()
    .regex(/^[!-~]{24,500}$/, '24 to 500 printable ASCII characters, no spaces')
    .optional(),
  MILLRACE_OPEN_PATHS: listOf(z.enum(['docs', 'admin', 'metrics']), 'docs, admin, metrics').default([]),
  MILLRACE_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).default(600),
  MILLRACE_ALLOW_NETWORKS: listOf(Network, NETWORKS).default([]),
  MILLRACE_ALLOW_PORTS: listOf(z.string().regex(/^\d{1,5}$/), 'ports such as 6000 or 10080')
    .transform((ports) => ports.map(Number))
    .default([]),
  MILLRACE_DNS_SERVERS: listOf(NameServer, NAME_SERVERS).default([]),
  MILLRACE_HOST_CONCURRENCY: wholeNumber(1, 100).default(2),
  MILLRACE_CONTACT_URL: webAddress(['https:', 'http:', 'mailto:']).optional(),
  MILLRACE_HOST_LIMITS: hostLimitsOf().default(new Map()),
  MILLRACE_POLICY: z.enum(['adaptive', 'tiers'], { error: 'adaptive or tiers' }).default('adaptive'),
  MILLRACE_REQUEST_BUDGET: wholeNumber(1, 1_000_000_000).optional(),
  MILLRACE_ACTIVE_WINDOW: duration('1s', '3650d').default(UNITS.d),
  MILLRACE_RECALC_MS: wholeNumber(100, 86_400_000).default(300_000),
  MILLRACE_MIN_INTERVAL: duration('1s', '24h').default(UNITS.m),
  MILLRACE_FETCH_CONCURRENCY: wholeNumber(1, 1_000).default(50),
  MILLRACE_CACHE_TTL: duration('1s', '24h').default(5 * UNITS.m),
  MILLRACE_WEBSUB_LEASE: duration('10s', '365d').default(10 * UNITS.d),
  MILLRACE_WEBSUB_SAFETY: duration('1s', '24h').default(UNITS.d),
  MILLRACE_KEEP_AGE: duration('1d', '36500d').default(365 * UNITS.d),
  MILLRACE_KEEP_POSTS: wholeNumber(50, 10_000_000).default(5_000),
  MILLRACE_YOUTUBE_URL: webAddress(['https:', 'http:']).default('https://www.youtube.com/'),
  MILLRACE_BLUESKY_URL: webAddress(['https:', 'http:']).default('https://public.api.bsky.app/'),
  MILLRACE_MASTODON_URL: webAddress(['https:', 'http:']).optional(),
  MILLRACE_GOOGLE_URL: webAddress(['https:', 'http:']).default('https://customsearch.googleapis.com/'),
  MILLRACE_GOOGLE_KEY: z.string().optional(),
  MILLRACE_GOOGLE_ENGINE: z.string().optional(),
  MILLRACE_CRUNCHBASE_URL: webAddress(['https:', 'http:']).default('https://api.crunchbase.com/'),
  MILLRACE_CRUNCHBASE_KEY: z.string().optional(),
  MILLRACE_OVERPASS_URL: webAddress(['https:', 'http:']).default('https://overpass-api.de/'),
  MILLRACE_SCRAPE_CONCURRENCY: wholeNumber(1, 1_000).default(5),
  MILLRACE_SCRAPE_TIMEOUT: duration('1s', '24h').default(15 * UNITS.m),
  MILLRACE_SCRAPE_MOST_LEADS: wholeNumber(1, 100_000).default(1_000),
  MILLRACE_IMPORT_BATCH: wholeNumber(1, 10_000).default(100),
  MILLRACE_IMPORT_FLUSH_MS: wholeNumber(0, 600_000).default(3_000),
  MILLRACE_IMPORT_CONCURRENCY: wholeNumber(1, 1_000).default(10),
  MILLRACE_IMPORT_RATE: wholeNumber(1, 100_000).default(100),
  MILLRACE_SECRET_KEYS: listOf(
    z.string().regex(/^[!-~]{32,500}$/),
    'keys of 32 to 500 printable ASCII characters',
  ).default([]),
  MILLRACE_RESTORED: z.iso.datetime({ offset: true }).optional(),
  MILLRACE_PUBLISH_GRACE: duration('1m', '365d').default(UNITS.d),
  MILLRACE_PUBLISH_CALL_MS: wholeNumber(500, 600_000).default(30_000),
  MILLRACE_PLATFORM_LIMITS: limitsOf().default(new Map()),
  MILLRACE_USER_LIMITS: limitsOf().default(new Map()),
  MILLRACE_MEDIA_BYTES: wholeNumber(1_000, 2_000_000_000).default(100_000_000),
  MILLRACE_FACEBOOK_URL: webAddress(['https:', 'http:']).default('https://graph.facebook.com/'),
  MILLRACE_INSTAGRAM_URL: webAddress(['https:', 'http:']).default('https://graph.facebook.com/'),
  MILLRACE_LINKEDIN_URL: webAddress(['https:', 'http:']).default('https://api.linkedin.com/'),
  MILLRACE_YOUTUBE_API_URL: webAddress(['https:', 'http:']).default('https://www.googleapis.com/'),
  MILLRACE_GOOGLE_TOKEN_URL: webAddress(['https:', 'http:']).default('https://oauth2.googleapis.com/token'),
  MILLRACE_ALERT_WORKERS: wholeNumber(0, 100).default(80),
  MILLRACE_ALERT_WAITING: wholeNumber(1, 100_000_000).default(1_000),
  MILLRACE_ALERT_OLDEST: duration('1s', '30d').default(5 * UNITS.m),
  MILLRACE_ALERT_ERRORS: wholeNumber(0, 100).default(5),
  MILLRACE_ALERT_MIN_RUNS: wholeNumber(1, 1_000_000).default(20),
  MILLRACE_ALERT_TARGET_ERRORS: wholeNumber(0, 100).default(50),
  MILLRACE_ALERT_TARGETS: wholeNumber(1, 200).default(5),
  MILLRACE_ALERT_DEAD_LETTERS: wholeNumber(0, 100_000_000).default(20),
  MILLRACE_ALERT_STALE: duration('1s', '30d').default(10 * UNITS.m),
  MILLRACE_ALERT_CANARY: duration('1s', '1h').default(30 * UNITS.s),
  MILLRACE_ALERT_CLOCK: duration('100ms', '1h').default(2 * UNITS.s),
  MILLRACE_ALERT_STALL: duration('10ms', '1h').default(UNITS.s),
  MILLRACE_ALERT_WEBHOOK: webAddress(['https:', 'http:']).optional(),
  MILLRACE_ALERT_SECRET: z.string().min(16, 'at least 16 characters').optional(),
  MILLRACE_CANARY_MS: wholeNumber(500, 600_000).default(10_000),
  MILLRACE_KEEP_RUNS: duration('1m', '3650d').default(3 * UNITS.d),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress(['https:', 'http:']).optional(),
  OTEL_SERVICE_NAME: z.string().default('millrace'),
  MILLRACE_TRACE_SHARE: wholeNumber(0, 100).default(100),
  MILLRACE_MEMORY_SHARE: wholeNumber(20, 99).default(85),
  MILLRACE_DRAIN_MS: wholeNumber(0, 600_000).default(0),
  MILLRACE_SHUTDOWN_MS: wholeNumber(0, 3_600_000).default(30_000),
  MILLRACE_JOB_LOCK_MS: wholeNumber(500, 600_000).default(10_000),
  MILLRACE_SWEEP_MS: wholeNumber(100, 3_600_000).default(15_000),
  MILLRACE_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  MILLRACE_LOG_FORMAT: z.enum(['auto', 'json', 'pretty']).default('auto'),
  MILLRACE_URL: webAddress(['https:', 'http:']).optional(),
  MILLRACE_KEY: z.string().optional(),
});
type Environment = z.infer<typeof Environment>;

/** Checks variables that must be given together. */
const WholeEnvironment = Environment.superRefine(({ MILLRACE_ALERT_WEBHOOK, MILLRACE_ALERT_SECRET }, context) => {
  const addIssue = (name: keyof Environment, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  if (MILLRACE_ALERT_WEBHOOK && !MILLRACE_ALERT_SECRET)
    addIssue(
      'MILLRACE_ALERT_SECRET',
      'at least 16 characters: what is sent to MILLRACE_ALERT_WEBHOOK is signed with it',
    );
  if (MILLRACE_ALERT_SECRET && !MILLRACE_ALERT_WEBHOOK)
    addIssue('MILLRACE_ALERT_WEBHOOK', 'the address of what checks MILLRACE_ALERT_SECRET, or neither of them');
});

export type Config = ReturnType<typeof toConfig>;

/** Variables whose values are never shown in a message. */
const SECRET_VARIABLES = [
  'DATABASE_URL',
  'REDIS_URL',
  'RABBITMQ_URL',
  'MILLRACE_ADMIN_KEY',
  'MILLRACE_GOOGLE_KEY',
  'MILLRACE_CRUNCHBASE_KEY',
  'MILLRACE_SECRET_KEYS',
  'MILLRACE_ALERT_WEBHOOK',
  'MILLRACE_ALERT_SECRET',
  'MILLRACE_KEY',
] as const;

export const isSecret = (name: string) => (SECRET_VARIABLES as readonly string[]).includes(name);

type Variables = Record<string, string | undefined>;

/** Reads `.env` and the environment, which takes precedence, and reports all mistakes at once. */
export function loadConfig(environment?: NodeJS.ProcessEnv, envFile?: string): Config {
  const variables = readVariables(environment, envFile);
  return parseConfig({ ...variables.file, ...variables.environment });
}

export function readVariables(environment: NodeJS.ProcessEnv = process.env, envFile = '.env') {
  const file: Variables = existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {};
  return { file, environment: environment as Variables };
}

export function parseConfig(environment: Variables): Config {
  const given = givenOnes(environment);
  return toConfig(parseVariables(WholeEnvironment, given), given);
}

/** The variables that the command line needs to find Millrace. Mistakes in the others do not stop it. */
const ClientEnvironment = Environment.pick({
  HOST: true,
  PORT: true,
  MILLRACE_DATA_DIR: true,
  MILLRACE_ADMIN_KEY: true,
  MILLRACE_URL: true,
  MILLRACE_KEY: true,
});

export type ClientConfig = ReturnType<typeof loadClientConfig>;

export function loadClientConfig(environment?: NodeJS.ProcessEnv, envFile?: string) {
  const variables = readVariables(environment, envFile);
  const env = parseVariables(ClientEnvironment, givenOnes({ ...variables.file, ...variables.environment }));
  return {
    host: env.HOST,
    port: env.PORT,
    dataDir: resolve(env.MILLRACE_DATA_DIR),
    adminKey: env.MILLRACE_ADMIN_KEY,
    url: env.MILLRACE_URL,
    key: env.MILLRACE_KEY,
  };
}

function givenOnes(environment: Variables): Variables {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
}

function parseVariables<Schema extends z.ZodObject>(schema: Schema, given: Variables): z.infer<Schema> {
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new StartupError(describeMistakes(parsed.error, given));
  return parsed.data;
}

function describeMistakes(error: z.ZodError, given: Variables): string {
  const lines = error.issues.map((issue) => {
    const name = String(issue.path[0]);
    const shown = given[name] !== undefined && isSecret(name) ? '(hidden)' : (JSON.stringify(given[name]) ?? 'nothing');
    return `  ${name}: got ${shown}, accepted is ${issue.message}`;
  });
  return `The configuration has ${lines.length === 1 ? 'a mistake' : `${lines.length} mistakes`}:\n${lines.join('\n')}`;
}

function toConfig(env: Environment, given: Variables) {
  return {
    host: env.HOST,
    port: env.PORT,
    portGiven: given.PORT !== undefined,
    publicUrl: env.MILLRACE_PUBLIC_URL,
    trustProxies: env.MILLRACE_TRUST_PROXIES,
    roles: new Set<Role>(env.MILLRACE_ROLES),
    dataDir: resolve(env.MILLRACE_DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    rabbitmqUrl: env.RABBITMQ_URL,
    rabbitmqExchange: env.MILLRACE_RABBITMQ_EXCHANGE,
    rabbitmqQueueType: env.MILLRACE_RABBITMQ_QUEUE_TYPE,
    remoteTypes: env.MILLRACE_REMOTE_TYPES,
    remoteScrapers: env.MILLRACE_REMOTE_SCRAPERS,
    remoteTimeoutMs: env.MILLRACE_REMOTE_TIMEOUT,
    remoteConcurrency: env.MILLRACE_REMOTE_CONCURRENCY,
    scrapePrefetch: env.MILLRACE_SCRAPE_PREFETCH,
    scrapeMessageTtlMs: env.MILLRACE_SCRAPE_MESSAGE_TTL,
    adminKey: env.MILLRACE_ADMIN_KEY,
    openPaths: new Set(env.MILLRACE_OPEN_PATHS),
    requestsPerMinute: env.MILLRACE_REQUESTS_PER_MINUTE,
    allowNetworks: env.MILLRACE_ALLOW_NETWORKS,
    allowPorts: env.MILLRACE_ALLOW_PORTS,
    dnsServers: env.MILLRACE_DNS_SERVERS,
    hostConcurrency: env.MILLRACE_HOST_CONCURRENCY,
    contactUrl: env.MILLRACE_CONTACT_URL,
    hostLimits: env.MILLRACE_HOST_LIMITS,
    policy: env.MILLRACE_POLICY,
    requestBudget: env.MILLRACE_REQUEST_BUDGET,
    activeWindowMs: env.MILLRACE_ACTIVE_WINDOW,
    recalcMs: env.MILLRACE_RECALC_MS,
    minIntervalMs: env.MILLRACE_MIN_INTERVAL,
    fetchConcurrency: env.MILLRACE_FETCH_CONCURRENCY,
    cacheTtlMs: env.MILLRACE_CACHE_TTL,
    websubLeaseMs: env.MILLRACE_WEBSUB_LEASE,
    websubSafetyMs: env.MILLRACE_WEBSUB_SAFETY,
    keepAgeMs: env.MILLRACE_KEEP_AGE,
    keepPosts: env.MILLRACE_KEEP_POSTS,
    youtubeUrl: env.MILLRACE_YOUTUBE_URL,
    blueskyUrl: env.MILLRACE_BLUESKY_URL,
    mastodonUrl: env.MILLRACE_MASTODON_URL,
    googleUrl: env.MILLRACE_GOOGLE_URL,
    googleKey: env.MILLRACE_GOOGLE_KEY,
    googleEngine: env.MILLRACE_GOOGLE_ENGINE,
    crunchbaseUrl: env.MILLRACE_CRUNCHBASE_URL,
    crunchbaseKey: env.MILLRACE_CRUNCHBASE_KEY,
    overpassUrl: env.MILLRACE_OVERPASS_URL,
    scrapeConcurrency: env.MILLRACE_SCRAPE_CONCURRENCY,
    scrapeTimeoutMs: env.MILLRACE_SCRAPE_TIMEOUT,
    scrapeMostLeads: env.MILLRACE_SCRAPE_MOST_LEADS,
    importBatch: env.MILLRACE_IMPORT_BATCH,
    importFlushMs: env.MILLRACE_IMPORT_FLUSH_MS,
    importConcurrency: env.MILLRACE_IMPORT_CONCURRENCY,
    importRate: env.MILLRACE_IMPORT_RATE,
    secretKeys: env.MILLRACE_SECRET_KEYS,
    restored: env.MILLRACE_RESTORED,
    publishGraceMs: env.MILLRACE_PUBLISH_GRACE,
    publishCallMs: env.MILLRACE_PUBLISH_CALL_MS,
    platformLimits: env.MILLRACE_PLATFORM_LIMITS,
    userLimits: env.MILLRACE_USER_LIMITS,
    mediaBytes: env.MILLRACE_MEDIA_BYTES,
    facebookUrl: env.MILLRACE_FACEBOOK_URL,
    instagramUrl: env.MILLRACE_INSTAGRAM_URL,
    linkedinUrl: env.MILLRACE_LINKEDIN_URL,
    youtubeApiUrl: env.MILLRACE_YOUTUBE_API_URL,
    googleTokenUrl: env.MILLRACE_GOOGLE_TOKEN_URL,
    alerts: {
      workersPercent: env.MILLRACE_ALERT_WORKERS,
      waiting: env.MILLRACE_ALERT_WAITING,
      oldestWaitingMs: env.MILLRACE_ALERT_OLDEST,
      errorsPercent: env.MILLRACE_ALERT_ERRORS,
      minRuns: env.MILLRACE_ALERT_MIN_RUNS,
      targetErrorsPercent: env.MILLRACE_ALERT_TARGET_ERRORS,
      targets: env.MILLRACE_ALERT_TARGETS,
      deadLetters: env.MILLRACE_ALERT_DEAD_LETTERS,
      staleMs: env.MILLRACE_ALERT_STALE,
      canaryMs: env.MILLRACE_ALERT_CANARY,
      clockMs: env.MILLRACE_ALERT_CLOCK,
      stallMs: env.MILLRACE_ALERT_STALL,
    },
    alertWebhook: env.MILLRACE_ALERT_WEBHOOK,
    alertSecret: env.MILLRACE_ALERT_SECRET,
    canaryMs: env.MILLRACE_CANARY_MS,
    keepRunsMs: env.MILLRACE_KEEP_RUNS,
    tracesUrl: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    serviceName: env.OTEL_SERVICE_NAME,
    tracePercent: env.MILLRACE_TRACE_SHARE,
    memoryPercent: env.MILLRACE_MEMORY_SHARE,
    drainMs: env.MILLRACE_DRAIN_MS,
    shutdownMs: env.MILLRACE_SHUTDOWN_MS,
    jobLockMs: env.MILLRACE_JOB_LOCK_MS,
    sweepMs: env.MILLRACE_SWEEP_MS,
    logLevel: env.MILLRACE_LOG_LEVEL,
    logFormat: env.MILLRACE_LOG_FORMAT,
  };
}
