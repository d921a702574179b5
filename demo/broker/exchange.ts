import type { MessageQueue } from './message-queue.js';

export interface ExchangeTraits {
  name: string;
  type: string;
  durable: boolean;
  autoDelete: boolean;
  internal: boolean;
}

export interface Binding {
  routingKey: string;
  destination: MessageQueue | Exchange;
}

/** Whether a message goes where a binding leads, by the exchange's type. */
const MATCHES = new Map<string, (bindingKey: string, routingKey: string) => boolean>([
  ['direct', (bindingKey, routingKey) => bindingKey === routingKey],
  ['fanout', () => true],
  ['topic', (bindingKey, routingKey) => matchesTopic(bindingKey.split('.'), routingKey.split('.'))],
]);

export const isExchangeType = (type: string) => MATCHES.has(type);

export class Exchange {
  private bindings: Binding[] = [];

  constructor(readonly traits: ExchangeTraits) {}

  get isUsed(): boolean {
    return this.bindings.length > 0;
  }

  bind(binding: Binding): void {
    if (!this.bindings.some((other) => isSame(other, binding))) this.bindings.push(binding);
  }

  unbind(binding: Binding): void {
    this.bindings = this.bindings.filter((other) => !isSame(other, binding));
  }

  /** Whether anything was bound to it. */
  forget(destination: Binding['destination']): boolean {
    const before = this.bindings.length;
    this.bindings = this.bindings.filter((other) => other.destination !== destination);
    return this.bindings.length < before;
  }

  destinations(routingKey: string): Binding['destination'][] {
    const matches = MATCHES.get(this.traits.type);
    return this.bindings
      .filter((binding) => matches?.(binding.routingKey, routingKey))
      .map(({ destination }) => destination);
  }
}

const isSame = (a: Binding, b: Binding) => a.destination === b.destination && a.routingKey === b.routingKey;

/** `*` stands for one word, `#` for any number of them. */
export function matchesTopic(pattern: string[], words: string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return words.length === 0;
  if (first === '#') return words.some((_, at) => matchesTopic(rest, words.slice(at))) || matchesTopic(rest, []);
  const [word, ...others] = words;
  return word !== undefined && (first === '*' || first === word) && matchesTopic(rest, others);
}
