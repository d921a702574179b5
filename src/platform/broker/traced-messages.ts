import { traced } from '../tracing/traced.js';
import type { HandleMessage } from './queue-consumer.js';

/** Wraps a handler: each message continues its sender's trace or starts a new one. */
export function tracedMessages(queue: string, handle: HandleMessage): HandleMessage {
  return (message) => {
    const { traceparent } = message.headers ?? {};
    const cause = typeof traceparent === 'string' ? traceparent : undefined;
    return traced({ name: `receive ${queue}`, kind: 'CONSUMER', cause }, () => handle(message));
  };
}
