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

type NamedObject = Pick<DeclaredQueue, 'name' | 'usedAsItIs'>;

/** Declares exchanges and queues at every connection, because a broker may come back without its data. */
@Injectable()
export class Declarations implements OnApplicationBootstrap {
  private readonly exchanges = new Set<string>();
  private readonly queues = new Map<string, DeclaredQueue>();
  private readonly errors = new Map<string, string>();
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
    for (const name of this.exchanges)
      await this.attempt({ name, usedAsItIs: true }, () => declareExchange(this.broker, name));
    for (const queue of this.queues.values()) await this.attempt(queue, () => declareQueue(this.broker, queue));
  }

  private async attempt({ name, usedAsItIs }: NamedObject, declare: () => Promise<void>): Promise<void> {
    try {
      await declare();
      if (this.errors.delete(name))
        this.log.info({ event: 'broker_declaration_restored', name }, 'The declaration matches again');
    } catch (error) {
      const refusal = whyRefused(error, name);
      if (!refusal) throw error;
      const message = `${refusal}. Until then it is ${usedAsItIs ? 'used as it is' : 'not used'}`;
      if (this.errors.get(name) !== message) this.log.error({ event: 'broker_declaration_refused', name }, message);
      this.errors.set(name, message);
    }
  }
}

export function whyRefused(error: unknown, name: string): string | undefined {
  if (!isRefusal(error)) return undefined;
  const { message } = error;
  const [, argument, kind, wanted, current] = REFUSAL.exec(message) ?? [];
  if (!argument) return `${name} cannot be declared at RabbitMQ: ${message}`;
  return (
    `the ${kind} ${name} exists with another ${argument}: it is ${unquoted(current)} and should be ${unquoted(wanted)}. ` +
    `Delete the ${kind} once it is empty, and Millrace declares it again, or configure Millrace to match it`
  );
}

function unquoted(text = ''): string {
  const value = /'([^']*)'/.exec(text)?.[1];
  return value ?? (text.includes('none') ? 'not set' : text);
}
