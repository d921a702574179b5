import { randomBytes, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DEAD_COMMANDS } from '../../contracts/queues.js';
import { duration, loadConfig } from '../../platform/config.js';
import { UsageError } from '../command.js';
import { fetchKind, type Kind, scrapeKind } from './kind.js';
import type { Probe } from './probe.js';
import { workerPresent } from './probes/worker-present.js';
import { PROBES } from './probes.js';

const OPTIONS = {
  url: { type: 'string' },
  account: { type: 'string' },
  unknown: { type: 'string' },
  query: { type: 'string', default: 'coffee' },
  timeout: { type: 'string', default: '30s' },
  exchange: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

const KNOWN_ACCOUNT = 'nasa';
const Timeout = duration('1s', '1h');

export type ConformOptions = ReturnType<typeof readOptions>;

export function readOptions(args: string[], environment?: NodeJS.ProcessEnv) {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const [queue, ...others] = positionals;
  if (queue === undefined || others.length > 0) throw new UsageError('give one queue, such as fetch.instagram');
  const config = loadConfig(environment);
  return {
    queue,
    kind: kindOf(queue, values.query),
    url: brokerAddress(values.url ?? config.rabbitmqUrl),
    exchange: values.exchange ?? config.rabbitmqExchange,
    account: values.account ?? KNOWN_ACCOUNT,
    accountGiven: values.account !== undefined,
    unknownAccount: values.unknown ?? unlikelyAccount(),
    timeoutMs: milliseconds(values.timeout),
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
  if (!URL.canParse(url) || !/^amqps?:$/.test(new URL(url).protocol))
    throw new UsageError('--url takes an address such as amqp://user:password@host:5672');
  return url;
}

/** Short enough to be a name everywhere. */
function unlikelyAccount(): string {
  return `nobody${randomBytes(4).toString('hex')}`;
}

function milliseconds(text: string): number {
  const { data, error } = Timeout.safeParse(text);
  if (error) throw new UsageError(`--timeout takes ${error.issues[0]?.message}`);
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
