import { randomBytes, randomUUID } from 'node:crypto';
import { DEAD_COMMANDS } from '../../contracts/queues.js';
import { canParseUrl } from '../../platform/can-parse-url.js';
import { loadConfig } from '../../platform/config.js';
import { duration } from '../../platform/config-field-types.js';
import type { Given } from '../arguments.js';
import { UsageError } from '../command.js';
import { fetchKind, type Kind, scrapeKind } from './kind.js';
import type { Probe } from './probe.js';
import { workerPresent } from './probes/worker-present.js';
import { PROBES } from './probes.js';

export const OPTIONS = {
  account: { value: 'externalId', help: 'an account that exists (default: nasa)' },
  unknown: { value: 'externalId', help: 'an account that does not exist (default: a random name)' },
  query: { value: 'text', help: 'what a scraper is to look for (default: coffee)' },
  timeout: { value: 'duration', help: 'how long each answer is waited for, such as 30s or 2m (default: 30s)' },
  only: { value: 'probe,probe', help: 'these probes only, after worker-present' },
  url: { value: 'amqp://…', help: 'RabbitMQ (default: RABBITMQ_URL)' },
  exchange: {
    value: 'name',
    help: 'the exchange of the commands (default: MILLRACE_RABBITMQ_EXCHANGE, or source.fetcher)',
  },
  json: { help: 'the report as JSON' },
} as const;

const KNOWN_ACCOUNT = 'nasa';
const Timeout = duration('1s', '1h');

export type ConformOptions = ReturnType<typeof readOptions>;

export function readOptions({ values, args }: Given<typeof OPTIONS>, environment?: NodeJS.ProcessEnv) {
  const [queue = ''] = args;
  const config = loadConfig(environment);
  return {
    queue,
    kind: kindOf(queue, values.query ?? 'coffee'),
    url: brokerAddress(values.url ?? config.rabbitmqUrl),
    exchange: values.exchange ?? config.rabbitmqExchange,
    account: values.account ?? KNOWN_ACCOUNT,
    accountGiven: values.account !== undefined,
    unknownAccount: values.unknown ?? unlikelyAccount(),
    timeoutMs: milliseconds(values.timeout ?? '30s'),
    probes: chosenProbes(values.only),
    json: values.json,
  };
}

function kindOf(queue: string, query: string): Kind {
  const [, kind, type = ''] = /^(fetch|scrape)\.(.+)$/.exec(queue) ?? [];
  if (!kind || queue === DEAD_COMMANDS)
    throw new UsageError(`${queue} is not a queue that workers answer on: those are fetch.<type> and scrape.<type>`);
  return kind === 'fetch' ? fetchKind(type, `conform-${randomUUID()}`) : scrapeKind(type, query);
}

function brokerAddress(url: string | undefined): string {
  if (url === undefined) throw new UsageError('where is RabbitMQ? Set RABBITMQ_URL or give --url amqp://host:port');
  // Not shown: there may be a password in it.
  if (!canParseUrl(url) || !/^amqps?:$/.test(new URL(url).protocol))
    throw new UsageError('--url takes an address such as amqp://user:password@host:5672');
  return url;
}

/** Short enough to be a name everywhere. */
function unlikelyAccount(): string {
  return `nobody${randomBytes(4).toString('hex')}`;
}

function milliseconds(text: string): number {
  const { data, error } = Timeout.schema.safeParse(text);
  if (error) throw new UsageError(`--timeout takes ${Timeout.expected}`);
  return data;
}

function chosenProbes(only: string | undefined): readonly Probe[] {
  if (only === undefined) return PROBES;
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !PROBES.some((probe) => probe.name === name));
  if (unknown !== undefined)
    throw new UsageError(`there is no probe ${unknown}; there are ${PROBES.map(({ name }) => name).join(', ')}`);
  return PROBES.filter((probe) => probe === workerPresent || names.includes(probe.name));
}
