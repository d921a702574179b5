import { Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Batcher } from '../platform/database/batcher.js';
import { Database, type Db } from '../platform/database/database.js';
import { PreparedQuery } from '../platform/database/prepared-query.js';
import { Events } from '../platform/events/events.js';
import { Clock } from '../platform/time/clock.js';
import { bodyHashIn, type CleanPost, cleanPosts, md5 } from './clean-post.js';
import { HtmlSanitiser } from './html-sanitiser.js';
import type { FoundPost, PostTime } from './post.js';
import { posts } from './posts.table.js';
import type { PreparedPost, PreparedPosts } from './prepared-posts.js';
import { keptTime, newTime } from './published-at.js';
import type { SafeHtml } from './safe-html.js';
import { holdSources, summariseAdded } from './source-summary.js';
import { saveMetrics, upsertPosts, type WrittenPost } from './write-posts.js';

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
  sourceId: string;
  externalId: string;
  contentHash: string;
  removed: boolean;
}

const { placeholder } = sql;

const finding = new PreparedQuery<Existing>(sql`
  SELECT id, source_id AS "sourceId", external_id AS "externalId", content_hash AS "contentHash",
    published_at AS "publishedAt", dated, removed_at IS NOT NULL AS removed
  FROM unnest(${placeholder('sourceIds')}::bigint[], ${placeholder('identities')}::text[]) AS wanted (wanted_source, identity)
  JOIN ${posts} ON source_id = wanted_source AND md5(external_id) = identity`);

/** Maximum number of indexed characters, because a search vector is limited to 1 MB. */
const MAX_SEARCHED = 100_000;

interface ChangedPost {
  post: CleanPost;
  time: PostTime;
  isNew: boolean;
}

interface Identities {
  sourceId: string;
  externalIds: string[];
}

@Injectable()
export class PostsStore {
  private readonly finds = new Batcher((wanted: Identities[]) => findExisting(this.database.db, wanted));

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly sanitiser: HtmlSanitiser,
    private readonly clock: Clock,
  ) {}

  /** Removed posts count as known. */
  async known(sourceId: string, externalIds: string[]): Promise<Map<string, string>> {
    const existing = await this.existing({ sourceId, externalIds });
    return new Map([...existing.values()].map(({ id, externalId }) => [externalId, id]));
  }

  /** Cleans posts, compares them with stored ones and sanitises those that are new or changed. Writes nothing. */
  async prepare(sourceId: string, found: FoundPost[], now = this.clock.now()): Promise<PreparedPosts> {
    const clean = cleanPosts(found);
    const existing = await this.existing({ sourceId, externalIds: clean.map(({ externalId }) => externalId) });
    const changed: ChangedPost[] = [];
    const metrics: PreparedPosts['metrics'] = [];
    const unchanged = new Map(existing);
    for (const post of clean) {
      const known = existing.get(post.externalId);
      const time = postTime(post, known, now);
      if (!hasChanged(post, time, known)) continue;
      unchanged.delete(post.externalId);
      if (known && onlyMetrics(post, time, known)) metrics.push({ ...post, id: known.id });
      else changed.push({ post, time, isNew: !known });
    }
    const safe = await this.sanitiser.make(
      changed.map(({ post: { content, contentBase } }) => ({ html: content, base: contentBase })),
    );
    const posts = changed.map(({ post, time, isNew }, at): PreparedPost => {
      const { publishedAt, dated } = time;
      return { ...post, publishedAt, dated, isNew, safe: safe[at] as SafeHtml };
    });
    return { sourceId, foundAt: now, posts: oldestFirst(posts), metrics, unchanged: [...unchanged.values()] };
  }

  async save(db: Db, prepared: PreparedPosts): Promise<SavedPosts> {
    const [saved] = await this.saveAll(db, [prepared]);
    return saved as SavedPosts;
  }

  /** Call inside a transaction, with one entry for a source. Saves nothing of sources that were deleted meanwhile. */
  async saveAll(db: Db, all: PreparedPosts[]): Promise<SavedPosts[]> {
    const changed = all.filter(({ posts, metrics }) => posts.length || metrics.length);
    if (!changed.length) return all.map(toSaved);
    const written = bySource(await upsertPosts(db, changed));
    const unwritten = changed.filter(({ sourceId }) => !written.has(sourceId)).map(({ sourceId }) => sourceId);
    const kept = unwritten.length ? await holdSources(db, unwritten) : new Set<string>();
    const counted = await saveMetrics(db, changed);
    const saved = all.map((prepared) => {
      const isDeleted = unwritten.includes(prepared.sourceId) && !kept.has(prepared.sourceId);
      return isDeleted ? NOTHING : afterWriting(prepared, written.get(prepared.sourceId) ?? [], counted);
    });
    await this.addUnwritten(db, all, saved);
    const changes = all.flatMap(({ sourceId }, at) => {
      const { added, changed } = saved[at] ?? NOTHING;
      return added.length || changed.length ? [{ sourceId, added }] : [];
    });
    if (changes.length) await summariseAdded(db, this.events, { changes, searched: searchTexts(changed, written) });
    return saved;
  }

  /** Posts that another process has stored since the comparison count as unchanged. */
  private async addUnwritten(db: Db, all: PreparedPosts[], saved: SavedPosts[]): Promise<void> {
    const missing = all.map(({ sourceId, posts }, at) => {
      const { ids } = saved[at] ?? NOTHING;
      const externalIds = posts.map(({ externalId }) => externalId).filter((externalId) => !ids.has(externalId));
      return { sourceId, externalIds: saved[at] === NOTHING ? [] : externalIds };
    });
    if (!missing.some(({ externalIds }) => externalIds.length)) return;
    for (const [at, found] of (await findExisting(db, missing)).entries()) {
      for (const { id, externalId } of found.values()) {
        saved[at]?.ids.set(externalId, id);
        saved[at]?.unchanged.push(id);
      }
    }
  }

  private async existing(wanted: Identities): Promise<Map<string, Existing>> {
    return wanted.externalIds.length ? this.finds.call(wanted) : new Map();
  }
}

/** Returns the stored posts of each request by their external ids. */
async function findExisting(db: Db, wanted: Identities[]): Promise<Map<string, Existing>[]> {
  const rows = await finding.run(db.$client, {
    sourceIds: wanted.flatMap(({ sourceId, externalIds }) => externalIds.map(() => sourceId)),
    identities: wanted.flatMap(({ externalIds }) => externalIds.map(md5)),
  });
  const found = bySource(rows);
  return wanted.map(({ sourceId, externalIds }) => {
    const asked = new Set(externalIds);
    const own = (found.get(sourceId) ?? []).filter(({ externalId }) => asked.has(externalId));
    return new Map(own.map((row) => [row.externalId, row]));
  });
}

function bySource<Row extends { sourceId: string }>(rows: Row[]): Map<string, Row[]> {
  const grouped = new Map<string, Row[]>();
  for (const row of rows) {
    const own = grouped.get(row.sourceId);
    if (own) own.push(row);
    else grouped.set(row.sourceId, [row]);
  }
  return grouped;
}

const NOTHING: SavedPosts = { added: [], changed: [], unchanged: [], ids: new Map() };

const toSaved = ({ unchanged, metrics }: PreparedPosts): SavedPosts => ({
  added: [],
  changed: [],
  unchanged: unchanged.map(({ id }) => id),
  ids: new Map([...unchanged, ...metrics].map(({ id, externalId }) => [externalId, id])),
});

function afterWriting(prepared: PreparedPosts, written: WrittenPost[], counted: Set<string>): SavedPosts {
  const saved = toSaved(prepared);
  for (const { id, externalId, added } of written) {
    saved.ids.set(externalId, id);
    saved[added ? 'added' : 'changed'].push(id);
  }
  for (const { id } of prepared.metrics) saved[counted.has(id) ? 'changed' : 'unchanged'].push(id);
  return saved;
}

function searchTexts(all: PreparedPosts[], written: Map<string, WrittenPost[]>): { ids: string[]; texts: string[] } {
  const [ids, texts]: [string[], string[]] = [[], []];
  for (const { sourceId, posts } of all) {
    const idOf = new Map(written.get(sourceId)?.map(({ externalId, id }) => [externalId, id]));
    for (const post of posts) {
      const id = idOf.get(post.externalId);
      if (id === undefined) continue;
      ids.push(id);
      texts.push(searchedText(post));
    }
  }
  return { ids, texts };
}

function searchedText({ title, author, safe }: PreparedPost): string {
  const text = [title, author.displayName, author.username, safe.text].filter(Boolean).join(' ');
  return text.slice(0, MAX_SEARCHED).toWellFormed();
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
