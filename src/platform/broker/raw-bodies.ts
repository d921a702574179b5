import type { Channel } from 'rabbitmq-client';

interface Incoming {
  _onHeader(frame: { fields: { contentType?: string | undefined } }): void;
}

/**
 * Has a channel hand over bodies as bytes. The library reads JSON before anybody can see how large it is, and 50 MB of it
 * would hold up the whole process. There is no setting for it; a test keeps this true.
 */
export function withRawBodies(channel: Channel): Channel {
  const incoming = channel as unknown as Incoming;
  const onHeader = incoming._onHeader.bind(channel);
  incoming._onHeader = (frame) => onHeader({ ...frame, fields: { ...frame.fields, contentType: undefined } });
  return channel;
}
