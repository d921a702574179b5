import { traced } from '../tracing/traced.js';
import type { HandleMessage } from './queue-consumer.js';

/** Messages that are somebody's work: each goes on with its sender's trace, or begins one. */
export function tracedMessages(queue: string, handle: HandleMessage): HandleMessage {
  return (message) => {
    const { traceparent } = message.headers ?? {};
    const cause = typeof traceparent === 'string' ? traceparent : undefined;
    return traced({ name: `receive ${queue}`, kind: 'CONSUMER', cause }, () => handle(message));
  };
}
