import { AmqpFault } from './amqp-fault.js';
import { type Message, writeContentHeader } from './message.js';
import { writeMethod } from './method-codec.js';
import type { Arguments, MethodName } from './methods.js';

export const METHOD = 1;
export const HEADER = 2;
export const BODY = 3;
export const HEARTBEAT = 8;

export interface Frame {
  type: number;
  channel: number;
  payload: Buffer;
}

const START_BYTES = 7;
const END_BYTES = 1;
const END = 0xce;
/** What a frame adds to its payload. */
export const AROUND_BYTES = START_BYTES + END_BYTES;

/** Cuts what comes over a line into frames. */
export class FrameReader {
  private pending: Buffer = Buffer.alloc(0);

  *read(chunk: Buffer, frameMax: number): Generator<Frame> {
    this.pending = this.pending.length ? Buffer.concat([this.pending, chunk]) : chunk;
    while (this.pending.length >= AROUND_BYTES) {
      const payloadBytes = this.pending.readUInt32BE(3);
      const bytes = payloadBytes + AROUND_BYTES;
      // Some clients count the payload alone; RabbitMQ lets them.
      if (payloadBytes > frameMax)
        throw new AmqpFault('FRAME_ERROR', `a frame of ${bytes} bytes, ${frameMax} are allowed`);
      if (this.pending.length < bytes) return;
      const frame = this.pending.subarray(0, bytes);
      this.pending = this.pending.subarray(bytes);
      if (frame.at(-1) !== END) throw new AmqpFault('FRAME_ERROR', 'a frame does not end where it should');
      const payload = frame.subarray(START_BYTES, -END_BYTES);
      yield { type: frame.readUInt8(0), channel: frame.readUInt16BE(1), payload };
    }
  }
}

export function writeFrame({ type, channel, payload }: Frame): Buffer {
  const start = Buffer.allocUnsafe(START_BYTES);
  start.writeUInt8(type, 0);
  start.writeUInt16BE(channel, 1);
  start.writeUInt32BE(payload.length, 3);
  return Buffer.concat([start, payload, Buffer.of(END)]);
}

export const methodFrame = <N extends MethodName>(channel: number, name: N, values: Arguments<N>) =>
  writeFrame({ type: METHOD, channel, payload: writeMethod(name, values) });

/** What follows a method that carries a message. */
export function* contentFrames(channel: number, message: Message, frameMax: number): Generator<Buffer> {
  yield writeFrame({ type: HEADER, channel, payload: writeContentHeader(message) });
  const most = frameMax - AROUND_BYTES;
  for (let at = 0; at < message.body.length; at += most)
    yield writeFrame({ type: BODY, channel, payload: message.body.subarray(at, at + most) });
}

export const HEARTBEAT_FRAME = writeFrame({ type: HEARTBEAT, channel: 0, payload: Buffer.alloc(0) });
