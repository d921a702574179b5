import { Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Database, type Db } from '../platform/database/database.js';
import { PreparedQuery } from '../platform/database/prepared-query.js';
import { Events } from '../platform/events/events.js';
import { bodyHashIn, type CleanPost, cleanPosts, md5 } from './clean-post.js';
import { HtmlSanitiser } from './html-sanitiser.js';
import type { FoundPost, PostTime } from './post.js';
import { posts } from './posts.table.js';
import type { PreparedPost, PreparedPosts } from './prepared-posts.js';
import { keptTime, newTime } from './published-at.js';
import type { SafeHtml } from './safe-html.js';
import { holdSources, summariseAdded } from './source-summary.js';
import { saveMetrics, upsertPosts } from './write-posts.js';

export type { PreparedPost, PreparedPosts } from './prepared-posts.js';

export interface SavedPosts {
  /** Ids in ascending order. */
  added: string[];
  changed: string[];
  unchanged: string[];
  ids: Map<string, string>;
}

export function addedOf({ posts }: PreparedPosts, { added, ids }: SavedPosts): PreparedPost[] {
  const isNew = new Set(added);
  return posts.filter(({ externalId }) => isNew.has(ids.get(externalId) ?? ''));
}

interface Existing extends Record<string, unknown>, PostTime {
  id: string;
  externalId: string;
  contentHash: string;
  removed: boolean;
}

const { placeholder } = sql;

const finding = new PreparedQuery<Existing>(sql`
  SELECT id, external_id AS "externalId", content_hash AS "contentHash", published_at AS "publishedAt",
    dated, removed_at IS NOT NULL AS removed
  FROM ${posts} WHERE source_id = ${placeholder('sourceId')} AND md5(external_id) = ANY(${placeholder('identities')}::text[])`);

@Injectable()
export class PostsStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly sanitiser: HtmlSanitiser,
  ) {}

  /** Removed posts count as known. */
  async known(sourceId: string, externalIds: string[]): Promise<Map<string, string>> {
    const existing = await this.existing(sourceId, externalIds);
    return new Map([...existing.values()].map(({ id, externalId }) => [externalId, id]));
  }

  /** Cleans posts, compares them with stored ones and sanitises those that are new or changed. Writes nothing. */
  async prepare(sourceId: string, found: FoundPost[], now: Date): Promise<PreparedPosts> {
    const clean = cleanPosts(found);
    const existing = await this.existing(
      sourceId,
      clean.map(({ externalId }) => externalId),
    );
    const timeOf = (post: CleanPost) => postTime(post, existing.get(post.externalId), now);
    const changed = clean.filter((post) => hasChanged(post, timeOf(post), existing.get(post.externalId)));
    const metrics = changed.flatMap((post) => {
      const known = existing.get(post.externalId);
      return known && onlyMetrics(post, timeOf(post), known) ? [{ ...post, id: known.id }] : [];
    });
    const counted = new Set(metrics.map(({ externalId }) => externalId));
    const fresh = changed.filter(({ externalId }) => !counted.has(externalId));
    const safe = await this.sanitiser.make(
      fresh.map(({ content, contentBase }) => ({ html: content, base: contentBase })),
    );
    const dated = fresh.map((post, at) => ({
      ...post,
      safe: safe[at] as SafeHtml,
      ...timeOf(post),
      isNew: !existing.has(post.externalId),
    }));
    const other = new Set(changed.map(({ externalId }) => externalId));
    const unchanged = [...existing.values()].filter(({ externalId }) => !other.has(externalId));
    return { sourceId, foundAt: now, posts: oldestFirst(dated), metrics, unchanged };
  }

  /** Call inside a transaction. Saves nothing if the source was deleted meanwhile. */
  async save(db: Db, prepared: PreparedPosts): Promise<SavedPosts> {
    const { sourceId, posts, metrics, unchanged } = prepared;
    const ids = new Map([...unchanged, ...metrics].map(({ id, externalId }) => [externalId, id]));
    const saved: SavedPosts = { added: [], changed: [], unchanged: unchanged.map(({ id }) => id), ids };
    if (!posts.length && !metrics.length) return saved;
    const written = await upsertPosts(db, prepared);
    if (!written.length && !(await holdSources(db, [sourceId])).has(sourceId))
      return { ...saved, unchanged: [], ids: new Map() };
    const counted = await saveMetrics(db, prepared);
    for (const { id, externalId, added } of written) {
      ids.set(externalId, id);
      saved[added ? 'added' : 'changed'].push(id);
    }
    saved.changed.push(...counted);
    await this.addUnwritten(db, prepared, saved);
    if (saved.added.length || saved.changed.length)
      await summariseAdded(db, this.events, { sourceId, added: saved.added });
    return saved;
  }

  /** Posts that another process has stored since the comparison count as unchanged. */
  private async addUnwritten(db: Db, { sourceId, posts, metrics }: PreparedPosts, saved: SavedPosts): Promise<void> {
    const changed = new Set(saved.changed);
    saved.unchanged.push(...metrics.map(({ id }) => id).filter((id) => !changed.has(id)));
    const missing = posts.map(({ externalId }) => externalId).filter((externalId) => !saved.ids.has(externalId));
    if (!missing.length) return;
    for (const { id, externalId } of (await this.existing(sourceId, missing, db)).values()) {
      saved.ids.set(externalId, id);
      saved.unchanged.push(id);
    }
  }

  private async existing(
    sourceId: string,
    externalIds: string[],
    db: Db = this.database.db,
  ): Promise<Map<string, Existing>> {
    if (!externalIds.length) return new Map();
    const rows = await finding.run(db.$client, { sourceId, identities: externalIds.map(md5) });
    return new Map(rows.map((row) => [row.externalId, row]));
  }
}

function postTime({ publishedAt: said, place }: CleanPost, existing: Existing | undefined, now: Date): PostTime {
  if (!existing) return newTime(said, { now, place });
  const { publishedAt, dated } = existing;
  return keptTime({ publishedAt, dated }, said, now);
}

function hasChanged({ contentHash }: CleanPost, { publishedAt }: PostTime, existing: Existing | undefined): boolean {
  if (!existing) return true;
  return !existing.removed && (existing.contentHash !== contentHash || publishedAt < existing.publishedAt);
}

function onlyMetrics({ bodyHash }: CleanPost, { publishedAt }: PostTime, existing: Existing): boolean {
  return bodyHashIn(existing.contentHash) === bodyHash && publishedAt >= existing.publishedAt;
}

/** The source lists the newest first, so posts with the same time are reversed. */
function oldestFirst(all: PreparedPost[]): PreparedPost[] {
  return all.toSorted((a, b) => a.publishedAt.getTime() - b.publishedAt.getTime() || b.place - a.place);
}
