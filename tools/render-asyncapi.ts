import { SCHEMA_VERSION } from '../src/contracts/fields.js';
import {
  DEAD_COMMANDS,
  FAILED_JOBS,
  fetchQueue,
  SCRAPE_JOBS,
  SCRAPE_RESULTS,
  scrapeQueue,
} from '../src/contracts/queues.js';
import { type BorderConfig, commandTopology, intakeTopology, type QueuePlan } from '../src/contracts/topology.js';
import { jsonSchema, PUBLISHED, type Published } from './render-contracts.js';

const BINDING_VERSION = { bindingVersion: '0.3.0' };
const MESSAGES = Object.keys(PUBLISHED) as Published[];
const ANY = '{type}';

interface Channel {
  queue: string;
  carries: readonly Published[];
  about: string;
}

const CHANNELS = {
  fetch: {
    queue: fetchQueue(ANY),
    carries: ['fetch-command'],
    about: 'Commands for the workers of one type of source.',
  },
  'fetch-rss': {
    queue: fetchQueue('rss'),
    carries: ['fetch-command'],
    about: 'As for any type, but for a shorter time.',
  },
  scrape: { queue: scrapeQueue(ANY), carries: ['scrape-command'], about: 'Commands for the workers of one scraper.' },
  'dead-commands': {
    queue: DEAD_COMMANDS,
    carries: ['fetch-command', 'scrape-command'],
    about: 'Commands that nobody took in time, were refused, or found a full queue.',
  },
  'scrape-jobs': { queue: SCRAPE_JOBS, carries: ['scrape-job-message'], about: 'Jobs that other services hand in.' },
  'scrape-results': {
    queue: SCRAPE_RESULTS,
    carries: ['scrape-job-result'],
    about: 'What other services found for jobs of Millrace, if MILLRACE_SCRAPE_INTAKE is off.',
  },
  'failed-jobs': {
    queue: FAILED_JOBS,
    carries: ['scrape-job-message', 'scrape-job-result'],
    about: 'Jobs and results that break the contract.',
  },
} as const satisfies Record<string, Channel>;

/** The text of `contracts/asyncapi.json`: what Millrace, configured like this, sends and receives over RabbitMQ. */
export function renderAsyncApi(config: BorderConfig): string {
  const document = {
    asyncapi: '3.0.0',
    id: 'urn:millrace:contracts',
    info: {
      title: 'Millrace: work done and sent in by other services',
      version: `${SCHEMA_VERSION}.0.0`,
      description:
        'Seen from Millrace: it sends commands, which workers answer, and receives jobs. See docs/workers.md.',
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: {
      rabbitmq: { host: 'localhost:5672', protocol: 'amqp', protocolVersion: '0.9.1', description: 'RABBITMQ_URL' },
    },
    channels: renderChannels(config),
    operations: {
      fetch: call('fetch', 'fetch-command', 'fetch-result'),
      fetchRss: call('fetch-rss', 'fetch-command', 'fetch-result'),
      scrape: call('scrape', 'scrape-command', 'scrape-result'),
      receiveScrapeJob: receive('scrape-jobs'),
      sendScrapeJob: SEND_SCRAPE_JOB,
      receiveScrapeJobResult: receive('scrape-results'),
      receiveDeadCommand: receive('dead-commands'),
      receiveFailedJob: receive('failed-jobs'),
    },
    components: {
      messages: Object.fromEntries(MESSAGES.map((name) => [name, renderMessage(name)])),
      schemas: Object.fromEntries(MESSAGES.map((name) => [name, payload(name)])),
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function renderChannels(config: BorderConfig) {
  const any: BorderConfig = { ...config, remoteTypes: [ANY], remoteScrapers: [ANY], scrapeIntake: 'off' };
  const plans = [...commandTopology(any).queues, ...intakeTopology(any).queues];
  const entries = Object.entries(CHANNELS).map(([name, channel]) => {
    const plan = plans.find(({ name }) => name === channel.queue);
    if (!plan) throw new Error(`the topology has no queue ${channel.queue}`);
    return [name, renderChannel(channel, plan)];
  });
  return { ...Object.fromEntries(entries), replies: REPLIES };
}

function renderChannel({ queue, carries, about }: Channel, { exchange, arguments: given }: QueuePlan) {
  return {
    address: queue,
    description: about,
    ...(queue.includes(ANY) && { parameters: { type: { description: 'Lower-case letters, digits and hyphens.' } } }),
    messages: Object.fromEntries(carries.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
    bindings: {
      amqp: {
        is: 'routingKey',
        exchange: { name: exchange, type: 'direct', durable: true, autoDelete: false },
        ...BINDING_VERSION,
      },
    },
    // The AMQP binding has no place for a queue's arguments.
    'x-queue': { name: queue, durable: true, arguments: given },
  };
}

const REPLIES = {
  address: null,
  description: "RabbitMQ's direct reply-to: published to the default exchange with the command's replyTo as the key.",
  messages: {
    'fetch-result': { $ref: '#/components/messages/fetch-result' },
    'scrape-result': { $ref: '#/components/messages/scrape-result' },
  },
  bindings: { amqp: { is: 'routingKey', exchange: { name: '', type: 'default' }, ...BINDING_VERSION } },
};

function call(channel: string, command: Published, result: Published) {
  return {
    action: 'send',
    channel: { $ref: `#/channels/${channel}` },
    messages: [{ $ref: `#/channels/${channel}/messages/${command}` }],
    bindings: { amqp: { deliveryMode: 1, mandatory: true, ...BINDING_VERSION } },
    reply: {
      address: { location: '$message.header#/replyTo', description: "The command's property reply_to." },
      channel: { $ref: '#/channels/replies' },
      messages: [{ $ref: `#/channels/replies/messages/${result}` }],
    },
  };
}

const SEND_SCRAPE_JOB = {
  action: 'send',
  channel: { $ref: '#/channels/scrape-jobs' },
  description: 'Only if MILLRACE_SCRAPE_INTAKE is off. Results go to scrape_results, which is also the reply_to.',
  messages: [{ $ref: '#/channels/scrape-jobs/messages/scrape-job-message' }],
  bindings: { amqp: { deliveryMode: 2, mandatory: true, ...BINDING_VERSION } },
};

function receive(channel: keyof typeof CHANNELS) {
  return {
    action: 'receive',
    channel: { $ref: `#/channels/${channel}` },
    messages: CHANNELS[channel].carries.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` })),
    bindings: { amqp: { ack: true, ...BINDING_VERSION } },
  };
}

function renderMessage(name: Published) {
  const { title, description } = PUBLISHED[name];
  const isOfACall = !name.startsWith('scrape-job-');
  return {
    name,
    title,
    summary: description,
    payload: { $ref: `#/components/schemas/${name}` },
    ...(isOfACall && {
      correlationId: {
        location: '$message.payload#/jobId',
        description: 'Also the property correlation_id, of command and result alike.',
      },
    }),
  };
}

/** AsyncAPI's dialect is a superset of draft 7. */
function payload(name: Published) {
  const { $schema: _, ...schema } = jsonSchema(name, 'draft-7');
  return schema;
}
