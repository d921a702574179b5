import type { AsyncMessage, Channel, Connection } from 'rabbitmq-client';

/** Larger ones are refused unread. */
export const MAX_ANSWER_BYTES = 10 * 1024 * 1024;

interface Incoming {
  _onHeader(frame: { fields: { contentType?: string | undefined; sentAs?: string | undefined } }): void;
}

/** As it was sent: its body is not interpreted. */
export type RawMessage = AsyncMessage & { body: Buffer };

/**
 * Has a channel hand over bodies as bytes. The library reads JSON before anybody can see how large it is, and 50 MB of it
 * would hold up the whole process. There is no setting for it; a test keeps this true.
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

/** The same connection, all of whose new channels hand over bodies as bytes; consumers open their channels themselves. */
export function withRawChannels(connection: Connection): Connection {
  const acquire: Connection['acquire'] = async (options) => withRawBodies(await connection.acquire(options));
  return Object.create(connection, { acquire: { value: acquire } });
}

/** Of a raw channel, with the content type that had to be hidden from the library. */
export function toRawMessage(message: AsyncMessage & { sentAs?: string }): RawMessage {
  const { sentAs, ...rest } = message;
  return { ...rest, ...(sentAs !== undefined && { contentType: sentAs }) };
}
