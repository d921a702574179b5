import type { AsyncMessage, Channel, Connection } from 'rabbitmq-client';

export const MAX_ANSWER_BYTES = 10 * 1024 * 1024;

interface Incoming {
  _onHeader(frame: { fields: { contentType?: string | undefined; sentAs?: string | undefined } }): void;
}

export type RawMessage = AsyncMessage & { body: Buffer };

/** The library parses JSON before its size can be checked, and 50 MB would block the process. It has no setting. */
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
