import {
  duration,
  field,
  group,
  logLevel,
  oneOf,
  optional,
  percentage,
  signingSecret,
  text,
  webAddress,
  wholeNumber,
} from './config-field-types.js';
import { maxRetries } from './config-other-names.js';

const MAX_ATTEMPTS = 20;
const attempts = wholeNumber(1, MAX_ATTEMPTS, 'attempts');
const backoff = duration('100ms', '1h');

/** The fields for those who operate Millrace: retries, alerts, logs, traces and the command line. */
export const OPERATION_GROUPS = [
  group('Retries', [
    field('MILLRACE_FETCH_ATTEMPTS', 'fetchAttempts', attempts, '3', {
      about: 'Attempts of a fetch that fails with a temporary error. Then the source waits for its next fetch.',
    }),
    field('MILLRACE_FETCH_BACKOFF', 'fetchBackoffMs', backoff, '5s', {
      about: 'Delay before the second attempt of a fetch. Each further delay is twice as long.',
    }),
    field('MILLRACE_IMPORT_FEED_ATTEMPTS', 'importFeedAttempts', attempts, '3', {
      about: 'Attempts of a feed of an import. Then it is a dead letter.',
      others: maxRetries(MAX_ATTEMPTS),
    }),
    field('MILLRACE_IMPORT_FEED_BACKOFF', 'importFeedBackoffMs', backoff, '1s', {
      about: 'Delay before the second attempt of a feed of an import. Each further delay is twice as long.',
    }),
    field('MILLRACE_IMPORT_ITEMS_ATTEMPTS', 'importItemsAttempts', attempts, '3', {
      about: 'Attempts of a batch of items, and of an item that is replayed. Then it is a dead letter.',
      others: maxRetries(MAX_ATTEMPTS),
    }),
    field('MILLRACE_IMPORT_ITEMS_BACKOFF', 'importItemsBackoffMs', backoff, '1s', {
      about: 'Delay before the second attempt of a batch of items. Each further delay is twice as long.',
    }),
    field('MILLRACE_SCRAPE_ATTEMPTS', 'scrapeAttempts', attempts, '3', {
      about:
        'Attempts to search a source type that fails with a temporary error. Then it is failed for its scrape job.',
      others: maxRetries(MAX_ATTEMPTS),
    }),
    field('MILLRACE_SCRAPE_BACKOFF', 'scrapeBackoffMs', backoff, '5s', {
      about: 'Delay before the second attempt of a search. Each further delay is twice as long.',
    }),
    field('MILLRACE_PUBLISH_ATTEMPTS', 'publishAttempts', attempts, '3', {
      about:
        'Attempts to publish a post. Waiting for a limit or through an outage costs none. Then the post is failed.',
    }),
    field('MILLRACE_PUBLISH_BACKOFF', 'publishBackoffMs', duration('100ms', '15m'), '1m', {
      about:
        'Delay before the second attempt of a post, and before the first new call after an outage. Each further delay is twice as long, up to 15 minutes.',
    }),
    field('MILLRACE_WEBSUB_ATTEMPTS', 'websubAttempts', attempts, '3', {
      about: 'Failed requests to a WebSub hub after which the next hub of the feed is tried.',
    }),
    field('MILLRACE_WEBSUB_BACKOFF', 'websubBackoffMs', backoff, '1m', {
      about:
        'Delay before a failed request to a WebSub hub is repeated. Each further delay is twice as long, up to a day.',
    }),
    field('MILLRACE_REPLAY_ATTEMPTS', 'replayAttempts', attempts, '3', {
      about: 'Attempts to replay a dead letter that is a message of RabbitMQ. Then it is a dead letter again.',
    }),
    field('MILLRACE_REPLAY_BACKOFF', 'replayBackoffMs', backoff, '5s', {
      about: 'Delay before the second attempt of such a replay. Each further delay is twice as long.',
    }),
  ]),
  group('Jobs', [
    field('MILLRACE_JOB_LOCK', 'jobLockMs', duration('500ms', '10m'), '10s', {
      about: 'A job is given to another worker if its worker has not renewed the lock for this time.',
      alias: 'MILLRACE_JOB_LOCK_MS',
    }),
    field('MILLRACE_SWEEP', 'sweepMs', duration('100ms', '1h'), '15s', {
      about: 'How often waiting rows whose job is missing are enqueued again.',
      alias: 'MILLRACE_SWEEP_MS',
    }),
    field('MILLRACE_CANARY', 'canaryMs', duration('500ms', '10m'), '10s', {
      about: 'How often one of the processes sends a canary through each queue and through RabbitMQ.',
      alias: 'MILLRACE_CANARY_MS',
    }),
    field('MILLRACE_KEEP_RUNS', 'keepRunsMs', duration('1m', '3650d'), '3d', {
      about: 'How long the history of runs is kept.',
    }),
    field('MILLRACE_KEEP_COMPLETED', 'keepCompleted', wholeNumber(0, 10_000, 'jobs'), '100', {
      about: 'How many completed jobs each queue keeps for bull-board.',
    }),
    field('MILLRACE_KEEP_FAILED', 'keepFailed', wholeNumber(0, 10_000, 'jobs'), '1000', {
      about: 'How many failed jobs each queue keeps for bull-board.',
    }),
  ]),
  group('Alerts', [
    field('MILLRACE_ALERT_WORKERS', 'alerts.workersPercent', percentage(0, 100), '80%', {
      about: 'Raises an alert when fewer worker processes are present than this share of those expected.',
    }),
    field('MILLRACE_ALERT_WAITING', 'alerts.waiting', wholeNumber(1, 100_000_000, 'jobs'), '1000', {
      about: 'Raises an alert when more jobs than this wait for one queue, or more messages in one queue of RabbitMQ.',
    }),
    field('MILLRACE_ALERT_OLDEST', 'alerts.oldestWaitingMs', duration('1s', '30d'), '5m', {
      about: 'Raises an alert when a job has waited for longer than this.',
    }),
    field('MILLRACE_ALERT_ERRORS', 'alerts.errorsPercent', percentage(0, 100), '5%', {
      about: 'Raises an alert when more than this share of the work of one feature failed.',
    }),
    field('MILLRACE_ALERT_MIN_RUNS', 'alerts.minRuns', wholeNumber(1, 1_000_000, 'runs'), '20', {
      about: 'Error rates of fewer runs than this raise no alert.',
    }),
    field('MILLRACE_ALERT_TARGET_ERRORS', 'alerts.targetErrorsPercent', percentage(0, 100), '50%', {
      about:
        'Raises an alert when more than this share of the work at one host, platform or source type failed while others succeed.',
    }),
    field('MILLRACE_ALERT_TARGETS', 'alerts.targets', wholeNumber(1, 200, 'hosts'), '5', {
      about:
        'When most work fails at this many hosts at once, the network of this machine is considered broken, and the alert is critical.',
    }),
    field('MILLRACE_ALERT_DEAD_LETTERS', 'alerts.deadLetters', wholeNumber(0, 100_000_000, 'dead letters'), '20', {
      about: 'Raises an alert when more dead letters of the last hour than this are open.',
    }),
    field('MILLRACE_ALERT_STALE', 'alerts.staleMs', duration('1s', '30d'), '10m', {
      about: 'Raises an alert when sources have been due for longer than this.',
    }),
    field('MILLRACE_ALERT_CANARY', 'alerts.canaryMs', duration('1s', '1h'), '30s', {
      about: 'Raises an alert when a queue has not returned its canary for this time.',
    }),
    field('MILLRACE_ALERT_CLOCK', 'alerts.clockMs', duration('100ms', '1h'), '2s', {
      about: 'Raises an alert when the clock of a process differs from the clock of PostgreSQL by more than this.',
    }),
    field('MILLRACE_ALERT_STALL', 'alerts.stallMs', duration('10ms', '1h'), '1s', {
      about:
        'Raises an alert when the event loop of a process was blocked for longer than this. A blocked process answers nothing.',
    }),
    optional('MILLRACE_ALERT_WEBHOOK', 'alertWebhook', webAddress(), {
      about: 'URL that receives alerts as signed JSON when they start and when they end.',
      secret: true,
      needs: 'MILLRACE_ALERT_SECRET',
    }),
    optional('MILLRACE_ALERT_SECRET', 'alertSecret', signingSecret, {
      about: 'Secret that signs the requests to MILLRACE_ALERT_WEBHOOK.',
      secret: true,
      needs: 'MILLRACE_ALERT_WEBHOOK',
    }),
  ]),
  group('Logs and traces', [
    field('MILLRACE_LOG_LEVEL', 'logLevel', logLevel, 'info', { about: 'Lowest level that is logged.' }),
    field('MILLRACE_LOG_FORMAT', 'logFormat', oneOf('auto', 'json', 'pretty'), 'auto', {
      about: 'Format of the log. The value auto means pretty in a terminal and json elsewhere.',
    }),
    optional('OTEL_EXPORTER_OTLP_ENDPOINT', 'tracesUrl', webAddress(), {
      about:
        'OpenTelemetry collector that receives traces by OTLP over HTTP: http://host:4318. Without it nothing is traced.',
    }),
    field('OTEL_SERVICE_NAME', 'serviceName', text, 'millrace', { about: 'Service name in traces.' }),
    field('MILLRACE_TRACE_SHARE', 'tracePercent', percentage(0, 100), '100%', {
      about: 'Share of the traces started by Millrace that is recorded.',
    }),
  ]),
  group('Command line', [
    optional('MILLRACE_URL', 'clientUrl', webAddress(), {
      about:
        'URL of the Millrace server that the `millrace` command uses. Without it the command finds the server that runs on MILLRACE_DATA_DIR.',
    }),
    optional('MILLRACE_KEY', 'clientKey', text, {
      about: 'API key that the `millrace` command uses.',
      secret: true,
    }),
  ]),
];
