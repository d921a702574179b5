import { AmqpFault } from './amqp-fault.js';
import { basicMethods } from './basic-methods.js';
import { Channel, type Line } from './channel.js';
import { exchangeMethods } from './exchange-methods.js';
import type { Frame } from './frames.js';
import type { Handlers } from './handlers.js';
import { IncomingMessage } from './incoming-message.js';
import type { Method } from './methods.js';
import { publish } from './publish.js';
import { queueMethods } from './queue-methods.js';

const HANDLERS: Handlers = { ...exchangeMethods, ...queueMethods, ...basicMethods };

/** The channels of a connection. Each frame goes to its own; what is wrong on one does not trouble the others. */
export class OpenChannels {
  private readonly channels = new Map<number, Channel>();
  private readonly incoming = new Map<number, IncomingMessage>();
  /** Those that were ended here; what comes until the client knows is not for anybody. */
  private readonly ended = new Set<number>();

  constructor(private readonly line: Line) {}

  /** `method` is what is in the frame, unless it is a part of a message. */
  take(frame: Frame, method: Method | undefined): void {
    const { channel: number } = frame;
    const channel = this.channels.get(number);
    if (this.ended.has(number)) this.takeLastWords(number, method);
    else if (method?.name === 'channel.open') this.open(number);
    else if (!channel) throw new AmqpFault('CHANNEL_ERROR', `channel ${number} is not open`);
    else if (method?.name === 'channel.close') {
      this.close(channel);
      channel.send('channel.close-ok', {});
    } else if (method) this.run(channel, method);
    else this.addToMessage(channel, frame);
  }

  /** Whether the channel was there to be ended. */
  fail(number: number, { replyCode, message: replyText }: AmqpFault, failedMethod: number): boolean {
    const channel = this.channels.get(number);
    if (!channel) return false;
    this.close(channel);
    this.ended.add(number);
    channel.send('channel.close', { replyCode, replyText, failedMethod });
    return true;
  }

  /** What was not acknowledged is given to others. */
  closeAll(): void {
    for (const channel of this.channels.values()) this.close(channel);
  }

  private open(number: number): void {
    if (this.channels.has(number)) throw new AmqpFault('CHANNEL_ERROR', `channel ${number} is open already`);
    this.channels.set(number, new Channel(number, this.line));
    this.line.send(number, 'channel.open-ok', {});
  }

  private run(channel: Channel, method: Method): void {
    if (this.incoming.has(channel.number))
      throw new AmqpFault('UNEXPECTED_FRAME', 'expected the next part of a message');
    if (method.name === 'basic.publish') {
      this.incoming.set(channel.number, new IncomingMessage(method.arguments));
      return;
    }
    const handle = HANDLERS[method.name] as ((channel: Channel, values: unknown) => void) | undefined;
    if (!handle) throw new AmqpFault('COMMAND_INVALID', `${method.name} is not expected`);
    handle(channel, method.arguments);
  }

  private addToMessage(channel: Channel, frame: Frame): void {
    const incoming = this.incoming.get(channel.number);
    if (!incoming) throw new AmqpFault('UNEXPECTED_FRAME', 'a part of a message without its beginning');
    const publication = incoming.add(frame);
    if (!publication) return;
    this.incoming.delete(channel.number);
    publish(channel, publication);
  }

  private close(channel: Channel): void {
    this.channels.delete(channel.number);
    this.incoming.delete(channel.number);
    channel.close();
  }

  private takeLastWords(number: number, method: Method | undefined): void {
    if (method?.name === 'channel.close') this.line.send(number, 'channel.close-ok', {});
    if (method?.name === 'channel.close-ok') this.ended.delete(number);
  }
}
