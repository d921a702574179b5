import { randomBytes, randomUUID } from 'node:crypto';
import { DEAD_COMMANDS } from '../../contracts/queues.js';
import { canParseUrl } from '../../platform/can-parse-url.js';
import { loadConfig } from '../../platform/config.js';
import { duration } from '../../platform/config-field-types.js';
import type { Given } from '../arguments.js';
import { UsageError } from '../command.js';
import { fetchKind, type Kind, scrapeKind } from './kind.js';
import { workerPresent } from './probes/worker-present.js';
import { PROBES } from './probes.js';
import type { Probe } from './target.js';

export const OPTIONS = {
  account: { value: 'externalId', help: 'Account that exists (default: nasa)' },
  unknown: { value: 'externalId', help: 'Account that does not exist (default: a random name)' },
  query: { value: 'text', help: 'Search query for a scraper (default: coffee)' },
  timeout: { value: 'duration', help: 'How long to wait for each answer, such as 30s or 2m (default: 30s)' },
  only: { value: 'probe,probe', help: 'Run only these probes, after worker-present' },
  url: { value: 'amqp://…', help: 'Address of RabbitMQ (default: RABBITMQ_URL)' },
  exchange: {
    value: 'name',
    help: 'Exchange for commands (default: MILLRACE_RABBITMQ_EXCHANGE, or source.fetcher)',
  },
  json: { help: 'Print the report as JSON' },
} as const;

const DEFAULT_ACCOUNT = 'nasa';
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
    account: values.account ?? DEFAULT_ACCOUNT,
    accountGiven: values.account !== undefined,
    unknownAccount: values.unknown ?? randomAccount(),
    timeoutMs: milliseconds(values.timeout ?? '30s'),
    probes: chosenProbes(values.only),
    json: values.json,
  };
}

function kindOf(queue: string, query: string): Kind {
  const [, kind, type = ''] = /^(fetch|scrape)\.(.+)$/.exec(queue) ?? [];
  if (!kind || queue === DEAD_COMMANDS)
    throw new UsageError(`${queue} is not a queue of workers. Their names are fetch.<type> and scrape.<type>.`);
  return kind === 'fetch' ? fetchKind(type, `conform-${randomUUID()}`) : scrapeKind(type, query);
}

function brokerAddress(url: string | undefined): string {
  if (url === undefined)
    throw new UsageError('The address of RabbitMQ is missing. Set RABBITMQ_URL or --url amqp://host:port.');
  // The address is not shown, because it may contain a password.
  if (!canParseUrl(url) || !/^amqps?:$/.test(new URL(url).protocol))
    throw new UsageError('--url must be an address such as amqp://user:password@host:5672.');
  return url;
}

/** The name is short enough for every site. */
function randomAccount(): string {
  return `nobody${randomBytes(4).toString('hex')}`;
}

function milliseconds(text: string): number {
  const { data, error } = Timeout.schema.safeParse(text);
  if (error) throw new UsageError(`--timeout must be ${Timeout.expected}.`);
  return data;
}

function chosenProbes(only: string | undefined): readonly Probe[] {
  if (only === undefined) return PROBES;
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !PROBES.some((probe) => probe.name === name));
  if (unknown !== undefined)
    throw new UsageError(`Unknown probe \`${unknown}\`. The probes are ${PROBES.map(({ name }) => name).join(', ')}.`);
  return PROBES.filter((probe) => probe === workerPresent || names.includes(probe.name));
}
