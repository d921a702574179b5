import { AmqpFault } from './amqp-fault.js';
import { BODY, type Frame, HEADER } from './frames.js';
import { readContentHeader } from './message.js';
import type { Arguments } from './methods.js';
import type { Publication } from './publish.js';

/** As RabbitMQ's own limit. */
const LARGEST_BYTES = 128 * 1024 * 1024;

/** A message whose parts are still coming: the method, then its header, then its body in pieces. */
export class IncomingMessage {
  private header: ReturnType<typeof readContentHeader> | undefined;
  private readonly pieces: Buffer[] = [];
  private received = 0;

  constructor(private readonly values: Arguments<'basic.publish'>) {}

  /** The message, once it is whole. */
  add({ type, payload }: Frame): Publication | undefined {
    if (type === HEADER && !this.header) this.header = readHeader(payload);
    else if (type === BODY && this.header) {
      this.pieces.push(payload);
      this.received += payload.length;
    } else throw new AmqpFault('UNEXPECTED_FRAME', 'expected the next part of a message');
    const { bodySize, properties } = this.header;
    if (this.received > bodySize) throw new AmqpFault('UNEXPECTED_FRAME', 'a body that is longer than was said');
    if (this.received < bodySize) return undefined;
    return { values: this.values, properties, body: Buffer.concat(this.pieces) };
  }
}

function readHeader(payload: Buffer) {
  const header = readContentHeader(payload);
  if (header.bodySize > LARGEST_BYTES) {
    const sizes = `message size ${header.bodySize} is larger than configured max size ${LARGEST_BYTES}`;
    throw new AmqpFault('PRECONDITION_FAILED', sizes);
  }
  return header;
}
