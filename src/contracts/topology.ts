import { DEAD_COMMANDS, DEAD_LETTER_EXCHANGE, FAILED_JOBS, fetchQueue, SCRAPE_RESULTS, scrapeQueue } from './queues.js';

export interface QueuePlan {
  name: string;
  /** The exchange to which the queue is bound, with the queue's name as the routing key. */
  exchange: string;
  arguments: Record<string, string | number>;
  /** Others declare it. It is only bound, once it exists. */
  isForeign?: boolean;
}

/** The exchanges and queues that must exist at the broker. All are durable, and all exchanges are direct. */
export interface Topology {
  exchanges: string[];
  queues: QueuePlan[];
}

export interface BorderConfig {
  rabbitmqExchange: string;
  rabbitmqQueueType: 'quorum' | 'classic';
  remoteTypes: readonly string[];
  remoteScrapers: readonly string[];
  scrapeIntake: 'on' | 'off';
  scrapeQueue: string;
  scrapeQueueForm: 'plain' | 'dead-letter' | 'wait';
  scrapeMessageTtlMs?: number | undefined;
}

/** These queues always exist, so that a worker may start before Millrace is configured for it. */
const ALWAYS = ['instagram', 'twitter', 'rss'];
const TTL_MS = 600_000;
const TTLS_MS: Record<string, number> = { rss: 300_000 };
const MAX_MESSAGES = 5_000;
/** A command goes to `fetch.dlq` after this many deliveries without an acknowledgement. RabbitMQ 3 has no default. */
const MAX_DELIVERIES = 20;
/** RabbitMQ 4 drops a message after 20 deliveries by default, and there is no queue behind that of dead commands. */
const UNLIMITED_DELIVERIES = 1_000_000;

/** The priority of commands that a user waits for. Quorum queues of RabbitMQ 4 prefer messages above 4. */
export const URGENT_PRIORITY = 5;

export function commandTopology(config: BorderConfig): Topology {
  const { rabbitmqExchange: exchange, remoteTypes, remoteScrapers } = config;
  const types = [...new Set([...ALWAYS, ...remoteTypes])];
  const isQuorum = config.rabbitmqQueueType === 'quorum';
  const queueType = { 'x-queue-type': config.rabbitmqQueueType };
  const deadCommands = isQuorum ? { ...queueType, 'x-delivery-limit': UNLIMITED_DELIVERIES } : queueType;
  const commandQueue = (name: string, ttl: number): QueuePlan => ({
    name,
    exchange,
    arguments: {
      ...queueType,
      // Quorum queues refuse this argument: they have priorities from RabbitMQ 4 on, without any.
      ...(isQuorum ? { 'x-delivery-limit': MAX_DELIVERIES } : { 'x-max-priority': URGENT_PRIORITY }),
      'x-message-ttl': ttl,
      'x-max-length': MAX_MESSAGES,
      'x-dead-letter-exchange': exchange,
      'x-dead-letter-routing-key': DEAD_COMMANDS,
    },
  });
  return {
    exchanges: [exchange],
    queues: [
      { name: DEAD_COMMANDS, exchange, arguments: deadCommands },
      ...types.map((type) => commandQueue(fetchQueue(type), TTLS_MS[type] ?? TTL_MS)),
      ...remoteScrapers.map((type) => commandQueue(scrapeQueue(type), TTL_MS)),
    ],
  };
}

/** Senders declare these queues, too, most of them without arguments. RabbitMQ refuses a declaration with other arguments. */
export function intakeTopology(config: BorderConfig): Topology {
  const { rabbitmqExchange: exchange, scrapeQueue: name, scrapeQueueForm, scrapeIntake } = config;
  const results = { name: SCRAPE_RESULTS, exchange, arguments: {} };
  return {
    exchanges: [exchange, DEAD_LETTER_EXCHANGE],
    queues: [
      { name: FAILED_JOBS, exchange: DEAD_LETTER_EXCHANGE, arguments: {} },
      { name, exchange, arguments: argumentsOfJobs(config), isForeign: scrapeQueueForm === 'wait' },
      ...(scrapeIntake === 'off' ? [results] : []),
    ],
  };
}

function argumentsOfJobs({ scrapeQueueForm, scrapeMessageTtlMs }: BorderConfig): QueuePlan['arguments'] {
  const deadLettering = { 'x-dead-letter-exchange': DEAD_LETTER_EXCHANGE, 'x-dead-letter-routing-key': FAILED_JOBS };
  if (scrapeMessageTtlMs) return { 'x-message-ttl': scrapeMessageTtlMs, ...deadLettering };
  return scrapeQueueForm === 'dead-letter' ? deadLettering : {};
}
