import { useRef } from 'react';
import { idempotencyKey } from './client';

interface KeyedRequest {
  body: string;
  key: string;
}

/** Repeating the same request reuses its key, so a lost response or a second click creates nothing twice. */
export function keyed(
  last: KeyedRequest | undefined,
  body: string,
  newKey: () => string = idempotencyKey,
): KeyedRequest {
  return last?.body === body ? last : { body, key: newKey() };
}

/** Call `done` after a success, so that sending the same body again counts as a new request. */
export function useRequestKey() {
  const last = useRef<KeyedRequest>(undefined);
  return {
    keyFor(body: unknown): string {
      last.current = keyed(last.current, JSON.stringify(body));
      return last.current.key;
    },
    done() {
      last.current = undefined;
    },
  };
}
