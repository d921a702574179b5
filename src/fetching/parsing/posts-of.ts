import { createHash } from 'node:crypto';
import type { FoundPost } from '../../posts/post.js';
import type { Unreadable } from '../fetcher.js';
import type { Channel, Item } from './channel.js';
import { firstDate } from './dates/first-date.js';
import type { FieldReader } from './fields/field-reader.js';

const NOBODY = { username: '', displayName: '' };
/** Longer ids are hashed, because the database index limits their length. */
const MAX_ID_LENGTH = 1_000;

/** Shown to users who ask why an item was not stored. */
const EMPTY = 'it is empty: no id, link, title, content, date or author';

interface ParsedPosts {
  posts: FoundPost[];
  unreadable?: Unreadable[] | undefined;
  repeated?: number[] | undefined;
  idsDepend?: true | undefined;
}

export function postsOf({ items, siteUrl, author }: Channel, readFields?: FieldReader): ParsedPosts {
  const something = items.flatMap((item, at) =>
    hasSomething(item) ? { place: at + 1, item: item.author || !author ? item : { ...item, author } } : [],
  );
  const { idOf, idsDepend } = idRule(
    something.map(({ item }) => item),
    siteUrl,
  );
  const byId = new Map<string, FoundPost>();
  const repeated: number[] = [];
  for (const { item, place } of something) {
    const externalId = bounded(idOf(item));
    if (byId.has(externalId)) {
      repeated.push(place);
      continue;
    }
    const post = toPost(item, externalId);
    byId.set(externalId, readFields ? { ...post, fields: readFields(item.raw) } : post);
  }
  const unreadable = something.length === items.length ? undefined : emptyOnes(items);
  return { posts: [...byId.values()], unreadable, repeated: repeated.length ? repeated : undefined, idsDepend };
}

function emptyOnes(items: Item[]): Unreadable[] {
  return items.flatMap((item, at) => (hasSomething(item) ? [] : [{ place: at + 1, reason: EMPTY }]));
}

/** The author of the feed does not count as content of an item. */
export function hasSomething({ id, url, title, content, author, media, dates }: Item): boolean {
  return Boolean(id || url || title || content?.trim() || author || media.length > 0 || dates.length > 0);
}

/**
 * Broken feeds give several items the same id, so the link and then the title are added. An item without an id gets its
 * link if no other item has it, otherwise a hash of its content.
 */
function idRule(
  items: Item[],
  siteUrl: string | undefined,
): { idOf: (item: Item) => string; idsDepend: true | undefined } {
  const links = new Variants();
  const titles = new Variants();
  const fingerprints = new Variants();
  for (const item of items) {
    const { id, url = '', title = '' } = item;
    if (id) {
      links.add(id, url);
      titles.add(`${id} ${url}`, title);
    } else if (url && url !== siteUrl) fingerprints.add(url, fingerprint(item));
  }
  const idOf = (item: Item) => {
    const { id, url = '', title = '' } = item;
    if (!id) return url && url !== siteUrl && !fingerprints.differ(url) ? url : fingerprint(item);
    const parts = [id, links.differ(id) && url, titles.differ(`${id} ${url}`) && title];
    return parts.filter(Boolean).join(' ');
  };
  const depend = [links, titles, fingerprints].some((variants) => variants.any);
  return { idOf, idsDepend: depend || undefined };
}

class Variants {
  private readonly first = new Map<string, string>();
  private readonly different = new Set<string>();

  add(key: string, value: string): void {
    const first = this.first.get(key);
    if (first === undefined) this.first.set(key, value);
    else if (first !== value) this.different.add(key);
  }

  get any(): boolean {
    return this.different.size > 0;
  }

  differ(key: string): boolean {
    return this.different.has(key);
  }
}

function fingerprint({ url = '', title = '', content = '', author, dates, media }: Item): string {
  const parts = [url, title, content, dates[0] ?? '', author?.username ?? '', ...media.map((file) => file.url)];
  return hash(JSON.stringify(parts));
}

function bounded(id: string): string {
  return id.length > MAX_ID_LENGTH ? hash(id) : id;
}

function hash(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

function toPost(item: Item, externalId: string): FoundPost {
  const { url, title, content = '', contentBase, author = NOBODY, media, metrics, dates } = item;
  const publishedAt = firstDate(dates);
  return { externalId, url, title, content, contentBase, author, media, metrics, publishedAt };
}
