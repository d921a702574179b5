import type { FeedDocument } from '../../src/fetching/fetcher.js';
import { splitFeed } from '../../src/fetching/parsing/split/split-feed.js';

export interface FeedParts {
  head: string;
  items: string[];
  tail: string;
}

/** A document split into pieces, its bytes as characters. Undefined if its items cannot be found by their tags. */
export function partsOf(document: FeedDocument): FeedParts | undefined {
  const split = splitFeed(document);
  if (!split) return undefined;
  const { text, items } = split;
  return {
    head: text.slice(0, items[0]?.start),
    items: items.map(({ start, end }) => text.slice(start, end)),
    tail: text.slice(items.at(-1)?.end),
  };
}

export function withParts(document: FeedDocument, { head, items, tail }: FeedParts): FeedDocument {
  return { ...document, body: Buffer.from(head + items.join('\n') + tail, 'latin1') };
}

/** Returns an ordinary item. */
function plainItem({ items }: FeedParts, name: string): string {
  const tag = tagOf(items[0] ?? '');
  const prefix = tag.includes(':') ? tag.slice(0, tag.indexOf(':') + 1) : '';
  const link = tag.toLowerCase().endsWith('entry')
    ? `<${prefix}id>${name}</${prefix}id><${prefix}link href="https://plain.example/${name}"/>`
    : `<${prefix}guid isPermaLink="false">${name}</${prefix}guid><${prefix}link>https://plain.example/${name}</${prefix}link>`;
  return `<${tag}>${link}<${prefix}title>${name}</${prefix}title></${tag}>`;
}

/** Returns the item with another title. */
function changed(item: string): string {
  if (item.includes('</title>')) return item.replace('</title>', ' changed</title>');
  const tag = tagOf(item);
  return `${item.slice(0, -`</${tag}>`.length)}<title>changed</title></${tag}>`;
}

export function tagOf(item: string): string {
  return /^<([^\s>]+)/.exec(item)?.[1] ?? '';
}

export interface Versions {
  what: string;
  before: FeedDocument;
  after: FeedDocument;
}

/** Changes of feeds between two fetches. Some plain items are added to those of the feed. */
export function versionsOf(document: FeedDocument, strangers: string[] = []): Versions[] {
  const parts = partsOf(document);
  if (!parts) return [];
  const { head, items } = parts;
  const plain = ['a', 'b', 'c'].map((name) => plainItem(parts, name));
  const all = [...items, ...plain];
  const whole = withParts(document, { ...parts, items: all });
  const turn = (what: string, before: string[], after: string[], newHead = head): Versions => ({
    what,
    before: before === all ? whole : withParts(document, { ...parts, items: before }),
    after: after === all && newHead === head ? whole : withParts(document, { ...parts, head: newHead, items: after }),
  });
  const chosen = [...new Set([0, Math.floor(items.length / 2), items.length - 1])];
  return [
    turn(
      'nothing but the time',
      all,
      all,
      head.replace(/(<lastBuildDate>|<updated>|<pubDate>)[^<]*/, '$1Mon, 1 Jan 2029'),
    ),
    turn('a plain item comes', all, [plainItem(parts, 'new'), ...all]),
    turn('the order changes', all, all.toReversed()),
    turn('one goes', all, all.slice(1)),
    ...chosen.flatMap((place) => [
      turn(`item ${place} comes`, all.toSpliced(place, 1), all),
      turn(`item ${place} changes`, all, all.with(place, changed(all[place] ?? ''))),
    ]),
    ...strangers.flatMap((stranger) => [
      turn('a stranger comes', all, all.toSpliced(1, 0, stranger)),
      turn('after a stranger', [stranger, ...all], [plainItem(parts, 'new'), stranger, ...all]),
    ]),
  ];
}
