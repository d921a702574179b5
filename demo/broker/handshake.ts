import { AmqpFault } from './amqp-fault.js';
import type { FieldTable } from './fields.js';
import type { Arguments, Method, MethodName } from './methods.js';

/** What client and broker have agreed on. */
export interface Agreement {
  frameMax: number;
  /** Seconds; none if 0. */
  heartbeat: number;
  virtualHost: string;
  takesCancellations: boolean;
}

export const PROTOCOL_HEADER = Buffer.from([...Buffer.from('AMQP'), 0, 0, 9, 1]);
export const MOST_FRAME_BYTES = 131_072;
const LEAST_FRAME_BYTES = 4_096;
const OFFER = { channelMax: 2_047, frameMax: MOST_FRAME_BYTES, heartbeat: 60 };

const SERVER: FieldTable = {
  product: 'Millrace demo broker',
  information: 'In memory, for the demo alone. For anything else use RabbitMQ.',
  capabilities: {
    ...{ publisher_confirms: true, exchange_exchange_bindings: true, 'basic.nack': true, direct_reply_to: true },
    ...{ consumer_cancel_notify: true, per_consumer_qos: true, authentication_failure_close: true },
  },
};

/** The first words on a connection: start, tune, open, in this order. Any name and password will do. */
export class Handshake {
  private expected: MethodName = 'connection.start-ok';
  private takesCancellations = false;
  private tuned = OFFER;

  constructor(private readonly send: <N extends MethodName>(name: N, values: Arguments<N>) => void) {}

  begin(): void {
    const version = { versionMajor: 0, versionMinor: 9 };
    this.send('connection.start', { ...version, serverProperties: SERVER, mechanisms: 'PLAIN', locales: 'en_US' });
  }

  /** What was agreed on, with the last of it. */
  receive(method: Method): Agreement | undefined {
    if (method.name !== this.expected)
      throw new AmqpFault('COMMAND_INVALID', `expected ${this.expected}, not ${method.name}`);
    if (method.name === 'connection.start-ok') this.greet(method.arguments);
    if (method.name === 'connection.tune-ok') this.tune(method.arguments);
    if (method.name !== 'connection.open') return undefined;
    this.send('connection.open-ok', {});
    const { frameMax, heartbeat } = this.tuned;
    const { takesCancellations } = this;
    return { frameMax, heartbeat, takesCancellations, virtualHost: method.arguments.virtualHost };
  }

  private greet({ mechanism, clientProperties }: Arguments<'connection.start-ok'>): void {
    if (mechanism !== 'PLAIN') throw new AmqpFault('ACCESS_REFUSED', `login by ${mechanism}, only PLAIN is known`);
    const { capabilities } = clientProperties;
    this.takesCancellations = Object(capabilities).consumer_cancel_notify === true;
    this.send('connection.tune', OFFER);
    this.expected = 'connection.tune-ok';
  }

  private tune(wanted: Arguments<'connection.tune-ok'>): void {
    const frameMax = wanted.frameMax || MOST_FRAME_BYTES;
    if (frameMax < LEAST_FRAME_BYTES || frameMax > MOST_FRAME_BYTES)
      throw new AmqpFault(
        'NOT_ALLOWED',
        `frame_max of ${frameMax} bytes, ${LEAST_FRAME_BYTES} to ${MOST_FRAME_BYTES} are allowed`,
      );
    this.tuned = { ...wanted, frameMax };
    this.expected = 'connection.open';
  }
}
