import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CONFIG, type Config } from '../config.js';
import { REMOTE_JSON } from '../http/bounded-json.js';
import { describeFailure, readBody, requestConfigured } from '../http/configured-request.js';
import { readRemoteJson } from '../http/json-answer.js';
import { joinUrl } from '../http/web-address.js';

const TIMEOUT_MS = 2_000;
/** The largest page that RabbitMQ allows. */
const PAGE_SIZE = 500;

/** Rates are in messages per second. Null stands for what is not known. */
export interface QueueFigures {
  ready: number;
  consumers: number;
  unacknowledged: number | null;
  publishedPerSecond: number | null;
  deliveredPerSecond: number | null;
  acknowledgedPerSecond: number | null;
}

const Rate = z.object({ rate: z.number() }).optional();
const Count = z.int().optional();

/** RabbitMQ leaves out counters that never counted anything, and all figures in the first seconds of a queue. */
const ListedQueue = z.object({
  name: z.string(),
  messages_ready: Count,
  messages_unacknowledged: Count,
  consumers: Count,
  message_stats: z
    .object({
      publish: Count,
      publish_details: Rate,
      deliver_get: Count,
      deliver_get_details: Rate,
      ack: Count,
      ack_details: Rate,
    })
    .optional(),
});
type ListedQueue = z.infer<typeof ListedQueue>;

const COUNTERS = ['publish', 'deliver_get', 'ack'] as const;
const COLUMNS = [
  'name',
  'messages_ready',
  'messages_unacknowledged',
  'consumers',
  ...COUNTERS.flatMap((counter) => [`message_stats.${counter}`, `message_stats.${counter}_details.rate`]),
];

/** The message is a sentence for operators. It contains no credentials. */
export class ManagementError extends Error {
  override readonly name = 'ManagementError';
}

@Injectable()
export class ManagementApi {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  get isConfigured(): boolean {
    return this.config.rabbitmqManagementUrl !== undefined;
  }

  /** Returns the figures that RabbitMQ knows of these queues. Fails with a ManagementError. */
  async queues(names: string[]): Promise<Map<string, QueueFigures>> {
    const { origin } = new URL(this.config.rabbitmqManagementUrl ?? '');
    const listed = await this.list(names).catch((error: unknown) => {
      const reason = describeFailure(error, TIMEOUT_MS);
      throw new ManagementError(`The management API of RabbitMQ at ${origin} cannot be used: ${reason}.`);
    });
    return new Map(listed.flatMap((queue) => toFigures(queue)));
  }

  private async list(names: string[]): Promise<ListedQueue[]> {
    const { rabbitmqManagementUrl = '', rabbitmqUrl = '', contactUrl } = this.config;
    const vhost = virtualHostOf(rabbitmqUrl);
    const url = joinUrl(withUser(rabbitmqManagementUrl, rabbitmqUrl), `api/queues/${encodeURIComponent(vhost)}`);
    url.search = String(queryFor(names));
    const response = await requestConfigured(url.href, { timeoutMs: TIMEOUT_MS, contactUrl });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(refusal(response.status, vhost));
    }
    const body = await readBody(response, REMOTE_JSON.maxBytes);
    const page = z.object({ items: z.array(ListedQueue) });
    const answer = await readRemoteJson({ body, headers: Object.fromEntries(response.headers) }, page);
    if ('breach' in answer) throw new Error(`it ${answer.breach}`);
    return answer.data.items;
  }
}

/** A page with a filter costs RabbitMQ only the figures of these queues, however many others it has. */
function queryFor(names: string[]): URLSearchParams {
  const name = `^(${names.map((one) => one.replaceAll('.', '\\.')).join('|')})$`;
  const columns = COLUMNS.join(',');
  return new URLSearchParams({ page: '1', page_size: String(PAGE_SIZE), use_regex: 'true', name, columns });
}

/** As the AMQP client reads it. */
const virtualHostOf = (amqpUrl: string) => decodeURIComponent(new URL(amqpUrl).pathname.split('/')[1] || '/');

function withUser(address: string, amqpUrl: string): string {
  const [url, { username, password }] = [new URL(address), new URL(amqpUrl)];
  if (!url.username && !url.password) Object.assign(url, { username, password });
  return url.href;
}

function refusal(status: number, vhost: string): string {
  if (status === 401) return 'it refused the user; check the name, the password and the tag `management`';
  if (status === 404) return `it answered 404; check the URL and the virtual host ${vhost}`;
  return `it answered ${status}`;
}

function toFigures(queue: ListedQueue): [string, QueueFigures][] {
  const { name, messages_ready: ready, consumers, messages_unacknowledged: unacknowledged = null } = queue;
  if (ready === undefined || consumers === undefined) return [];
  const rates = {
    publishedPerSecond: rateOf('publish', queue),
    deliveredPerSecond: rateOf('deliver_get', queue),
    acknowledgedPerSecond: rateOf('ack', queue),
  };
  return [[name, { ready, consumers, unacknowledged, ...rates }]];
}

/** With its statistics of rates turned off, RabbitMQ counts but does not say how fast. */
function rateOf(counter: (typeof COUNTERS)[number], { message_stats: stats }: ListedQueue): number | null {
  if (stats?.[counter] === undefined) return 0;
  const rate = stats[`${counter}_details`]?.rate;
  return rate === undefined ? null : Math.round(rate * 100) / 100;
}
