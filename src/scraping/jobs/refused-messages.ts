import { isUtf8 } from 'node:buffer';
import { Inject, Injectable } from '@nestjs/common';
import { DEAD_LETTER_EXCHANGE, FAILED_JOBS } from '../../contracts/queues.js';
import { Broker } from '../../platform/broker/broker.js';
import {
  causeOfDeath,
  DELIVERIES_HEADER,
  ORIGIN_HEADER,
  REASON_HEADER,
  shortened,
} from '../../platform/broker/cause-of-death.js';
import { Declarations } from '../../platform/broker/declarations.js';
import { carried, keptHeaders } from '../../platform/broker/message-properties.js';
import type { RawMessage } from '../../platform/broker/raw-bodies.js';
import type { JsonLimits } from '../../platform/http/bounded-json.js';
import { parseRemoteJson } from '../../platform/http/json-answer.js';
import { LOG, type Log } from '../../platform/log/log.js';

const NOT_JSON = 'message: not JSON, written in UTF-8';

export async function parseMessage(body: Buffer, limits: JsonLimits): Promise<{ value: unknown } | { breach: string }> {
  const { maxBytes } = limits;
  if (body.length > maxBytes) return { breach: `message: ${body.length} bytes, ${maxBytes} are allowed` };
  if (!isUtf8(body)) return { breach: NOT_JSON };
  const parsed = await parseRemoteJson(body, { limits });
  if ('breach' in parsed) return { breach: parsed.cause ? NOT_JSON : `message: ${parsed.breach}` };
  return parsed;
}

@Injectable()
export class RefusedMessages {
  constructor(
    @Inject(LOG) private readonly log: Log,
    private readonly broker: Broker,
    private readonly declarations: Declarations,
  ) {}

  /** Moves the message to `failed_jobs`, where it becomes a dead letter. */
  async refuse(queue: string, message: RawMessage, breach: string): Promise<void> {
    const { deliveryCount } = causeOfDeath(message.headers);
    const headers = {
      ...keptHeaders(message.headers),
      [REASON_HEADER]: shortened(breach),
      [ORIGIN_HEADER]: queue,
      ...(deliveryCount !== undefined && { [DELIVERIES_HEADER]: deliveryCount }),
    };
    const to = { exchange: DEAD_LETTER_EXCHANGE, routingKey: FAILED_JOBS };
    try {
      await this.broker.publish({ ...to, ...carried(message), headers }, message.body);
    } catch (error) {
      // The queue may have been deleted; the message is retried after the queue has been declared again.
      await this.declarations.declareAll();
      throw error;
    }
    const facts = { event: 'scrape_message_refused', queue, messageId: message.messageId, breach };
    this.log.warn(facts, `Refused a message of ${queue} that breaks the contract`);
  }
}
