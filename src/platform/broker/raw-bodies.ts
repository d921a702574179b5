import type { AsyncMessage, Channel, Connection } from 'rabbitmq-client';

/** Larger answers are rejected without being read. */
export const MAX_ANSWER_BYTES = 10 * 1024 * 1024;

interface Incoming {
  _onHeader(frame: { fields: { contentType?: string | undefined; sentAs?: string | undefined } }): void;
}

export type RawMessage = AsyncMessage & { body: Buffer };

/**
 * Makes a channel deliver bodies as bytes. The library parses JSON before its size can be checked, and 50 MB of it
 * would block the whole process. The library has no setting for this; a test keeps it true.
 */
export function withRawBodies(channel: Channel): Channel {
  const incoming = channel as unknown as Incoming;
  const onHeader = incoming._onHeader.bind(channel);
  incoming._onHeader = (frame) => {
    const { contentType } = frame.fields;
    onHeader({ ...frame, fields: { ...frame.fields, contentType: undefined, sentAs: contentType } });
  };
  return channel;
}

/** Returns the connection with raw channels only. Consumers open their channels themselves. */
export function withRawChannels(connection: Connection): Connection {
  const acquire: Connection['acquire'] = async (options) => withRawBodies(await connection.acquire(options));
  return Object.create(connection, { acquire: { value: acquire } });
}

export function toRawMessage(message: AsyncMessage & { sentAs?: string }): RawMessage {
  const { sentAs, ...rest } = message;
  return { ...rest, ...(sentAs !== undefined && { contentType: sentAs }) };
}
