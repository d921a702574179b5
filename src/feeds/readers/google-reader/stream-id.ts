import { opmlAddress, sourceAt } from '../../../following/opml-address.js';
import type { StreamFilter } from '../core/item-streams.js';
import type { ReaderFeed } from '../core/reader-feeds.js';

const STATE = 'user/-/state/com.google/';
export const READ = `${STATE}read`;
export const STARRED = `${STATE}starred`;
export const READING_LIST = `${STATE}reading-list`;

type State = 'read' | 'kept-unread' | 'starred' | 'reading-list' | 'other';

/** What a stream id of a client names. `address` is that of a feed, as subscribing clients send it. */
type Stream =
  | { kind: 'feed'; id: string }
  | { kind: 'address'; address: string }
  | { kind: 'label'; label: string }
  | { kind: 'state'; state: State };

/** Clients write `-`, the user's id or the user's name after `user/`. */
export function parseStream(text: string): Stream {
  const [, label] = /^user\/[^/]*\/label\/(.+)$/s.exec(text) ?? [];
  if (label !== undefined) return { kind: 'label', label };
  const [, feed] = /^feed\/(.+)$/s.exec(text) ?? [];
  if (feed !== undefined)
    return /^[1-9]\d{0,17}$/.test(feed) ? { kind: 'feed', id: feed } : { kind: 'address', address: feed };
  return { kind: 'state', state: stateOf(/^user\/[^/]*\/state\/com\.google\/(.+)$/.exec(text)?.[1] ?? '') };
}

function stateOf(name: string): State {
  switch (name) {
    case 'read':
    case 'kept-unread':
    case 'starred':
    case 'reading-list':
      return name;
    case 'unread':
      return 'kept-unread';
    default:
      return 'other';
  }
}

export const feedStream = (sourceId: string) => `feed/${sourceId}`;
export const labelStream = (folder: string) => `user/-/label/${folder}`;

/** `undefined` if no item can be in the stream. */
export function filterOf(stream: Stream, feeds: ReaderFeed[]): StreamFilter | undefined {
  switch (stream.kind) {
    case 'feed':
      return { source: stream.id };
    case 'address': {
      const id = feedAt(stream.address, feeds)?.id;
      return id === undefined ? undefined : { source: id };
    }
    case 'label':
      return { folder: stream.label };
    case 'state':
      return {
        read: { read: true },
        'kept-unread': { read: false },
        starred: { starred: true },
        'reading-list': {},
        other: undefined,
      }[stream.state];
  }
}

export function feedAt(address: string, feeds: ReaderFeed[]): ReaderFeed | undefined {
  const { externalId } = sourceAt(address);
  return feeds.find((feed) => feed.externalId === externalId || opmlAddress(feed) === address);
}
