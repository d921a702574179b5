import type { Socket } from 'node:net';
import { AmqpFault, asFault } from './amqp-fault.js';
import type { Line } from './channel.js';
import { contentFrames, type Frame, FrameReader, HEARTBEAT, HEARTBEAT_FRAME, METHOD, methodFrame } from './frames.js';
import { type Agreement, Handshake, MOST_FRAME_BYTES, PROTOCOL_HEADER } from './handshake.js';
import { Heartbeats } from './heartbeats.js';
import type { Message } from './message.js';
import { readMethod } from './method-codec.js';
import { type Arguments, METHODS, type Method, type MethodName } from './methods.js';
import { OpenChannels } from './open-channels.js';
import type { VirtualHost } from './virtual-host.js';

/** Clients answer when they are told that it is over, but not all of them. */
const FAREWELL_MS = 1_000;

/** One client: what comes over its line is cut into frames, which are for the connection itself or for one of its channels. */
export class Connection implements Line {
  private readonly frames = new FrameReader();
  private readonly handshake = new Handshake((name, values) => this.send(0, name, values));
  private readonly channels = new OpenChannels(this);
  private readonly heartbeats: Heartbeats;
  /** The first bytes, until there are enough to tell which protocol is meant. */
  private opening: Buffer | undefined = Buffer.alloc(0);
  private agreement: Agreement | undefined;
  private host: VirtualHost | undefined;
  private isOver = false;

  constructor(
    private readonly socket: Socket,
    private readonly hostNamed: (name: string) => VirtualHost,
  ) {
    this.heartbeats = new Heartbeats({ beat: () => this.write(HEARTBEAT_FRAME), dead: () => socket.destroy() });
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.receive(chunk));
    // A line that breaks is closed next.
    socket.on('error', () => undefined);
    socket.on('close', () => this.cleanUp());
  }

  get virtualHost(): VirtualHost {
    if (!this.host) throw new AmqpFault('CHANNEL_ERROR', 'the connection is not open');
    return this.host;
  }

  get takesCancellations(): boolean {
    return this.agreement?.takesCancellations ?? false;
  }

  send<N extends MethodName>(channel: number, name: N, values: Arguments<N>): void {
    this.write(methodFrame(channel, name, values));
  }

  sendMessage<N extends MethodName>(channel: number, name: N, values: Arguments<N>, message: Message): void {
    this.send(channel, name, values);
    for (const frame of contentFrames(channel, message, this.frameMax)) this.write(frame);
  }

  /** Tells the client that it is over, and why. */
  end({ replyCode, message }: AmqpFault, failedMethod = 0): void {
    if (this.isOver) return;
    this.send(0, 'connection.close', { replyCode, replyText: message, failedMethod });
    this.sayGoodbye();
  }

  private get frameMax(): number {
    return this.agreement?.frameMax ?? MOST_FRAME_BYTES;
  }

  private write(bytes: Buffer): void {
    if (!this.socket.writable) return;
    this.socket.write(bytes);
    this.heartbeats.written();
  }

  private receive(chunk: Buffer): void {
    this.heartbeats.read();
    try {
      const rest = this.opening ? this.readOpening(Buffer.concat([this.opening, chunk])) : chunk;
      if (rest) for (const frame of this.frames.read(rest, this.frameMax)) this.take(frame);
    } catch (error) {
      this.end(asFault(error));
    }
  }

  /** What follows the protocol's header, once it is there. Who speaks another protocol is told ours. */
  private readOpening(bytes: Buffer): Buffer | undefined {
    const header = bytes.subarray(0, PROTOCOL_HEADER.length);
    this.opening = bytes;
    if (!PROTOCOL_HEADER.subarray(0, header.length).equals(header)) {
      this.write(PROTOCOL_HEADER);
      this.sayGoodbye();
      return undefined;
    }
    if (header.length < PROTOCOL_HEADER.length) return undefined;
    this.opening = undefined;
    this.handshake.begin();
    return bytes.subarray(PROTOCOL_HEADER.length);
  }

  private take(frame: Frame): void {
    if (frame.type === HEARTBEAT) return;
    try {
      const method = frame.type === METHOD ? methodOf(frame) : undefined;
      if (this.isOver) this.takeLastWords(method);
      else if (frame.channel === 0) this.takeControl(method);
      else if (this.host) this.channels.take(frame, method);
      else throw new AmqpFault('CHANNEL_ERROR', 'the connection is not open');
    } catch (error) {
      this.fail(asFault(error), frame);
    }
  }

  private takeControl(method: Method | undefined): void {
    if (!method) throw new AmqpFault('UNEXPECTED_FRAME', 'channel 0 carries no messages');
    if (method.name === 'connection.close') {
      this.send(0, 'connection.close-ok', {});
      this.sayGoodbye();
      return;
    }
    if (this.agreement) throw new AmqpFault('COMMAND_INVALID', `${method.name} is not expected`);
    this.agreement = this.handshake.receive(method);
    if (!this.agreement) return;
    this.host = this.hostNamed(this.agreement.virtualHost);
    this.heartbeats.start(this.agreement.heartbeat);
  }

  private takeLastWords(method: Method | undefined): void {
    if (method?.name === 'connection.close') this.send(0, 'connection.close-ok', {});
    if (method?.name === 'connection.close-ok') this.socket.destroy();
  }

  private fail(fault: AmqpFault, { type, channel, payload }: Frame): void {
    const failedMethod = type === METHOD ? payload.readUInt32BE(0) : METHODS['basic.publish'].id;
    const isMended = !fault.endsConnection && this.channels.fail(channel, fault, failedMethod);
    if (!isMended) this.end(fault, failedMethod);
  }

  private sayGoodbye(): void {
    this.isOver = true;
    this.cleanUp();
    this.socket.end();
    setTimeout(() => this.socket.destroy(), FAREWELL_MS).unref();
  }

  private cleanUp(): void {
    this.heartbeats.stop();
    this.channels.closeAll();
    this.host?.deleteQueuesOf(this);
  }
}

function methodOf({ payload }: Frame): Method {
  const method = readMethod(payload);
  if (!method) throw new AmqpFault('NOT_IMPLEMENTED', `the demo's broker knows no method ${payload.readUInt32BE(0)}`);
  return method;
}
