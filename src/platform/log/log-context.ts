import { AsyncLocalStorage } from 'node:async_hooks';

/** Facts that every log line written during one piece of work carries, such as its request id. */
export const logContext = new AsyncLocalStorage<Record<string, unknown>>();
