import { GiveUp, RetryLater } from '../jobs/outcomes.js';
import { databaseTime } from '../time/database-time.js';
import type { Broker } from './broker.js';
import { BrokerError } from './broker-error.js';
import type { DeadMessage } from './dead-message.js';
import { bytesOf } from './kept-body.js';
import { carried } from './message-properties.js';

const PAUSE_MS = 30_000;

/** Puts a dead message back into a queue, for the job that replays it. */
export async function republish(broker: Broker, queue: string, message: DeadMessage): Promise<void> {
  if (message.truncated)
    throw new GiveUp(`only the beginning of its ${message.bytes} bytes was kept: it has to be sent anew by its sender`);
  const envelope = { exchange: '', routingKey: queue, headers: message.headers, ...carried(message) };
  try {
    await broker.publish(envelope, bytesOf(message));
  } catch (error) {
    throw asOutcome(error);
  }
}

function asOutcome(error: unknown): unknown {
  if (!(error instanceof BrokerError)) return error;
  if (error.code === 'NO_QUEUE') return new GiveUp(error.message);
  return new RetryLater(new Date(databaseTime.nowMs() + PAUSE_MS), error.message);
}
