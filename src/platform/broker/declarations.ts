import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { LOG, type Log } from '../log/log.js';
import { Broker } from './broker.js';
import { BrokerError } from './broker-error.js';
import { type DeclaredQueue, declareExchange, declareQueue, isRefusal } from './declare.js';

/** `inequivalent arg 'x-message-ttl' for queue 'q' in vhost '/': received '600000' but current is '1000'`, and `received none …`. */
const REFUSAL = /inequivalent arg '([^']+)' for (queue|exchange) .*?: received (.+?) but current is (.+)$/;

interface Topology {
  exchanges: string[];
  queues: DeclaredQueue[];
}

/** Declares exchanges and queues at every connection, because a broker may come back without its data. */
@Injectable()
export class Declarations implements OnApplicationBootstrap {
  private readonly exchanges = new Set<string>();
  private readonly queues = new Map<string, DeclaredQueue>();
  private readonly errors = new Map<string, string>();
  /** How queues and exchanges that others declared first differ. They are used as they are. */
  private readonly differences = new Map<string, string>();
  private running: Promise<void> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly broker: Broker,
  ) {}

  /** Call this before the application has started. */
  want({ exchanges, queues }: Topology): void {
    for (const exchange of exchanges) this.exchanges.add(exchange);
    for (const queue of queues) this.queues.set(queue.name, queue);
  }

  get queueNames(): string[] {
    return [...this.queues.keys()];
  }

  onApplicationBootstrap() {
    const { roles } = this.config;
    if (!this.broker.isConfigured || !(roles.has('worker') || roles.has('scheduler'))) return;
    const declare = () => void this.declareAll().catch((error) => this.reportFailure(error));
    this.broker.onConnection(declare);
    this.broker.onInterruption(declare);
  }

  errorOf(queue: string): string | undefined {
    return this.errors.get(queue);
  }

  declareAll(): Promise<void> {
    this.running ??= this.declare().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** A lost connection was logged already, and everything is declared again when it is back. */
  private reportFailure(error: unknown): void {
    const isLost = error instanceof BrokerError && error.code === 'UNREACHABLE';
    this.log[isLost ? 'debug' : 'warn']({ event: 'broker_declare_failed', err: error }, 'Queues could not be declared');
  }

  private async declare(): Promise<void> {
    for (const name of this.exchanges) await this.attempt(name, () => declareExchange(this.broker, name));
    for (const queue of this.queues.values()) await this.attempt(queue.name, () => declareQueue(this.broker, queue));
  }

  private async attempt(name: string, declare: () => Promise<void>): Promise<void> {
    try {
      await declare();
      this.differences.delete(name);
      this.restored(name);
    } catch (error) {
      const refusal = whyRefused(error, name);
      if (!refusal) throw error;
      if (refusal.isDifference) return this.reportDifference(name, refusal.message);
      const message = `${refusal.message}. Until then it is not used`;
      if (this.errors.get(name) !== message) this.log.error({ event: 'broker_declaration_refused', name }, message);
      this.errors.set(name, message);
    }
  }

  private reportDifference(name: string, difference: string): void {
    this.restored(name);
    const message = `${difference}. It is used as it is`;
    if (this.differences.get(name) !== message) this.log.info({ event: 'broker_declaration_differs', name }, message);
    this.differences.set(name, message);
  }

  private restored(name: string): void {
    if (this.errors.delete(name))
      this.log.info({ event: 'broker_declaration_restored', name }, 'The queue or exchange can be used again');
  }
}

interface Refusal {
  message: string;
  /** Whether the object exists with other arguments and can still be used. */
  isDifference: boolean;
}

export function whyRefused(error: unknown, name: string): Refusal | undefined {
  if (!isRefusal(error)) return undefined;
  const { message } = error;
  const [, argument, kind, wanted, current] = REFUSAL.exec(message) ?? [];
  if (!argument) return { message: `${name} cannot be declared at RabbitMQ: ${message}`, isDifference: false };
  return {
    message:
      `the ${kind} ${name} exists with another ${argument}: it is ${unquoted(current)}, ` +
      `and Millrace would declare ${unquoted(wanted)}`,
    isDifference: true,
  };
}

function unquoted(text = ''): string {
  const value = /'([^']*)'/.exec(text)?.[1];
  return value ?? (text.includes('none') ? 'not set' : text);
}
