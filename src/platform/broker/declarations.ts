import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Config } from '../config.js';
import { CONFIG } from '../config.js';
import type { Log } from '../log/log.js';
import { LOG } from '../log/log.js';
import { Broker } from './broker.js';
import { BrokerError } from './broker-error.js';
import { type DeclaredQueue, declareExchange, declareQueue, isRefusal } from './declare.js';

/** `inequivalent arg 'x-message-ttl' for queue 'q' in vhost '/': received '600000' but current is '1000'`, and `received none …`. */
const REFUSAL = /inequivalent arg '([^']+)' for (queue|exchange) .*?: received (.+?) but current is (.+)$/;

/** What features need at the broker. */
interface Wanted {
  exchanges: string[];
  queues: DeclaredQueue[];
}

type Named = Pick<DeclaredQueue, 'name' | 'usedAsItIs'>;

/** Declares what features need, at every connection anew: a broker may come back without its data. */
@Injectable()
export class Declarations implements OnApplicationBootstrap {
  private readonly exchanges = new Set<string>();
  private readonly queues = new Map<string, DeclaredQueue>();
  private readonly troubles = new Map<string, string>();
  private running: Promise<void> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly broker: Broker,
  ) {}

  /** Call before the application has started. */
  want({ exchanges, queues }: Wanted): void {
    for (const exchange of exchanges) this.exchanges.add(exchange);
    for (const queue of queues) this.queues.set(queue.name, queue);
  }

  onApplicationBootstrap() {
    const { roles } = this.config;
    if (!this.broker.isConfigured || !(roles.has('worker') || roles.has('scheduler'))) return;
    const declare = () => void this.declareAll().catch((error) => this.tell(error));
    this.broker.onConnection(declare);
    this.broker.onInterruption(declare);
  }

  /** Why a queue cannot be used, in words for administrators. */
  trouble(queue: string): string | undefined {
    return this.troubles.get(queue);
  }

  /** Harmless where all is there. Callers that come together share one round. */
  declareAll(): Promise<void> {
    this.running ??= this.declare().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** A connection that is lost was told about, and all is declared anew when it is back. */
  private tell(error: unknown): void {
    const isLost = error instanceof BrokerError && error.code === 'UNREACHABLE';
    this.log[isLost ? 'debug' : 'warn']({ err: error }, 'queues could not be declared');
  }

  private async declare(): Promise<void> {
    for (const name of this.exchanges)
      await this.attempt({ name, usedAsItIs: true }, () => declareExchange(this.broker, name));
    for (const queue of this.queues.values()) await this.attempt(queue, () => declareQueue(this.broker, queue));
  }

  /** One that RabbitMQ refuses does not keep the others from being declared. */
  private async attempt({ name, usedAsItIs }: Named, declare: () => Promise<void>): Promise<void> {
    try {
      await declare();
      if (this.troubles.delete(name)) this.log.info({ name }, 'it is at the broker as it should be now');
    } catch (error) {
      const refusal = whyRefused(error, name);
      if (!refusal) throw error;
      const trouble = `${refusal}. Until then it is ${usedAsItIs ? 'used as it is' : 'not used'}`;
      if (this.troubles.get(name) !== trouble) this.log.error({ name }, trouble);
      this.troubles.set(name, trouble);
    }
  }
}

/** Why RabbitMQ refuses to declare a queue or exchange, and what to do if it exists with other arguments. Other errors: undefined. */
export function whyRefused(error: unknown, name: string): string | undefined {
  if (!isRefusal(error)) return undefined;
  const { message } = error;
  const [, argument, kind, wanted, current] = REFUSAL.exec(message) ?? [];
  if (!argument) return `${name} cannot be declared at RabbitMQ: ${message}`;
  return (
    `the ${kind} ${name} exists with another ${argument}: it is ${unquoted(current)} and should be ${unquoted(wanted)}. ` +
    `Delete the ${kind}, after its messages were worked off, and it is made anew; or set Millrace to what is there`
  );
}

function unquoted(text = ''): string {
  const value = /'([^']*)'/.exec(text)?.[1];
  return value ?? (text.includes('none') ? 'not set' : text);
}
