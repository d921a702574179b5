import { describe, expect, it } from 'vitest';
import { parseConfig, readFields } from './config.js';

const NO_FILE = 'no-such-file';
const ignoredIn = (environment: Record<string, string>) =>
  readFields(environment, NO_FILE).flatMap(({ ignored }) => (ignored ? [ignored] : []));

describe('variables of other programs', () => {
  it.each([
    [{ QUEUE_NAME: 'team_jobs' }, { scrapeQueue: 'team_jobs' }],
    [{ PREFETCH_COUNT: '7' }, { scrapePrefetch: 7 }],
    [{ MILLRACE_RABBITMQ_MANAGEMENT_URL: 'http://broker:15672' }, { rabbitmqManagementUrl: 'http://broker:15672/' }],
    [{ MAX_RETRIES: '5' }, { scrapeAttempts: 6, importFeedAttempts: 6, importItemsAttempts: 6 }],
    [{ MAX_RETRIES: '0' }, { scrapeAttempts: 1 }],
    [{ WORKER_BATCH_SIZE: '50' }, { importBatch: 50 }],
    [{ WORKER_FLUSH_MS: '1500' }, { importFlushMs: 1_500 }],
    [{ WORKER_CONCURRENCY: '4' }, { importConcurrency: 4 }],
    [{ BULL_QUEUE_NAME: 'jobs-import' }, { importQueue: 'jobs-import' }],
    [{ RATE_LIMIT_MAX: '50', RATE_LIMIT_DURATION: '2000' }, { importRate: 25 }],
    [{ RATE_LIMIT_MAX: '50' }, { importRate: 50 }],
    [{ RATE_LIMIT_DURATION: '500' }, { importRate: 200 }],
  ])('%o set the fields of Millrace', (variables, fields) => {
    expect(parseConfig(variables)).toMatchObject(fields);
    expect(ignoredIn(variables)).toEqual([]);
  });

  it.each([
    [{ RABBITMQ_HOST: 'broker' }, 'amqp://guest:guest@broker:5672/%2F'],
    [{ RABBITMQ_HOST: '::1', RABBITMQ_PORT: '5673' }, 'amqp://guest:guest@[::1]:5673/%2F'],
    [
      { RABBITMQ_HOST: 'my_broker', RABBITMQ_USER: 'me@home', RABBITMQ_PASSWORD: 'p/ss:#%', RABBITMQ_VHOST: 'jobs' },
      'amqp://me%40home:p%2Fss%3A%23%25@my_broker:5672/jobs',
    ],
    // Kubernetes sets the port like this beside a service named rabbitmq.
    [{ RABBITMQ_HOST: 'broker', RABBITMQ_PORT: 'tcp://10.0.0.1:5672' }, 'amqp://guest:guest@broker:5672/%2F'],
  ])('%o make the address of RabbitMQ', (variables, address) => {
    expect(parseConfig(variables).rabbitmqUrl).toBe(address);
  });

  it.each([
    [{ PREFETCH_COUNT: '0' }, 'PREFETCH_COUNT: got "0", expected a whole number from 1 to 1000'],
    [{ WORKER_FLUSH_MS: '3s' }, 'WORKER_FLUSH_MS: got "3s", expected a whole number of milliseconds from 0 to 600000'],
    [{ MAX_RETRIES: 'many' }, 'MAX_RETRIES: got "many", expected a whole number from 0 to 19'],
    [{ QUEUE_NAME: 'failed_jobs' }, 'QUEUE_NAME: got "failed_jobs", expected a name of'],
    [{ BULL_QUEUE_NAME: 'a:b' }, 'BULL_QUEUE_NAME: got "a:b", expected a name of'],
    [{ RABBITMQ_HOST: 'x', RABBITMQ_PORT: 'amqp' }, 'RABBITMQ_PORT: got (hidden), expected a port such as 5672'],
    [
      { RATE_LIMIT_MAX: '1', RATE_LIMIT_DURATION: '3600000' },
      'RATE_LIMIT_MAX, RATE_LIMIT_DURATION: got "1/3600000ms", expected requests per second',
    ],
  ])('%o is refused under the name that was given', (variables, complaint) => {
    expect(() => parseConfig(variables)).toThrow(`The configuration has an error:\n  ${complaint}`);
  });

  it.each([
    [{ MILLRACE_IMPORT_BATCH: '20', WORKER_BATCH_SIZE: '50' }, 'MILLRACE_IMPORT_BATCH', ['WORKER_BATCH_SIZE']],
    [{ MILLRACE_IMPORT_BATCH: '20', WORKER_BATCH_SIZE: 'x' }, 'MILLRACE_IMPORT_BATCH', ['WORKER_BATCH_SIZE']],
    [{ MILLRACE_IMPORT_FLUSH_MS: '1000', WORKER_FLUSH_MS: '50' }, 'MILLRACE_IMPORT_FLUSH_MS', ['WORKER_FLUSH_MS']],
    [{ RABBITMQ_URL: 'amqp://a', RABBITMQ_HOST: 'b' }, 'RABBITMQ_URL', ['RABBITMQ_HOST']],
  ])('%o: the variable of Millrace wins, and the other one is reported', (variables, winner, names) => {
    expect(ignoredIn(variables)).toEqual([{ names, because: `${winner} has another value` }]);
    const { importBatch, importFlushMs, rabbitmqUrl } = parseConfig(variables);
    expect([importBatch, importFlushMs, rabbitmqUrl]).toEqual([
      winner === 'MILLRACE_IMPORT_BATCH' ? 20 : 100,
      winner === 'MILLRACE_IMPORT_FLUSH_MS' ? 1_000 : 3_000,
      winner === 'RABBITMQ_URL' ? 'amqp://a' : undefined,
    ]);
  });

  it.each([
    { MILLRACE_IMPORT_FLUSH: '2s', WORKER_FLUSH_MS: '2000' },
    { MILLRACE_IMPORT_RATE: '60/1m', RATE_LIMIT_MAX: '1' },
    {
      RABBITMQ_URL: 'amqp://me:s%40cret@broker',
      RABBITMQ_HOST: 'broker',
      RABBITMQ_USER: 'me',
      RABBITMQ_PASSWORD: 's@cret',
    },
    { RABBITMQ_URL: 'amqps://broker/jobs', RABBITMQ_PORT: 'tcp://10.0.0.1:5672' },
  ])('%o agree, and nothing is reported', (variables) => {
    parseConfig(variables);
    expect(ignoredIn(variables)).toEqual([]);
  });

  it('have no effect without the one that they belong to', () => {
    const variables = { RABBITMQ_USER: 'me', RABBITMQ_PASSWORD: 'secret' };
    expect(parseConfig(variables).rabbitmqUrl).toBeUndefined();
    expect(ignoredIn(variables)).toEqual([
      { names: ['RABBITMQ_USER', 'RABBITMQ_PASSWORD'], because: 'RABBITMQ_HOST is not set' },
    ]);
  });

  it('set a variable of Millrace that is there without a value', () => {
    expect(parseConfig({ MILLRACE_SCRAPE_QUEUE: '', QUEUE_NAME: 'team_jobs' }).scrapeQueue).toBe('team_jobs');
  });
});

it.each([
  ['100', 100],
  ['90/1m', 1.5],
  ['5/500ms', 10],
])('reads the rate %s as %d requests per second', (text, rate) => {
  expect(parseConfig({ MILLRACE_IMPORT_RATE: text }).importRate).toBe(rate);
});

it.each(['0', '1/1h', '100001', '1.5', 'many', '5/0s'])('refuses the rate %s', (text) => {
  expect(() => parseConfig({ MILLRACE_IMPORT_RATE: text })).toThrow('MILLRACE_IMPORT_RATE: got');
});
