import { useRef } from 'react';
import { idempotencyKey } from './client';

interface KeyedRequest {
  body: string;
  key: string;
}

/** The same request again carries the same key, so that a lost answer or a second click makes nothing twice. */
export function keyed(
  last: KeyedRequest | undefined,
  body: string,
  newKey: () => string = idempotencyKey,
): KeyedRequest {
  return last?.body === body ? last : { body, key: newKey() };
}

/** `keyFor` a body; `done` once it was taken, so that the same written anew is a new one. */
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
