import type { L1CacheDriver } from 'bentocache/types';

interface Kept {
  value: unknown;
  bytes: number;
  endsAt: number;
}

interface Limits {
  bytes: number;
  entryBytes: number;
}

/**
 * The in-process part of the cache. It stores values as they are, because parsing a page of posts costs more than
 * reading it from the database; the library's own memory cache counts bytes of text only. The least recently used
 * entry is evicted first.
 */
export class ProcessMemory implements L1CacheDriver {
  readonly type = 'l1';
  /** Entries in the order of their last use. */
  private readonly kept = new Map<string, Kept>();
  private bytes = 0;

  constructor(private readonly most: Limits) {}

  get(key: string): string | undefined {
    const found = this.kept.get(key);
    if (!found) return undefined;
    this.kept.delete(key);
    this.kept.set(key, found);
    // The library's types allow text only.
    return found.value as string;
  }

  /** Values from Redis arrive as text. */
  set(key: string, given: unknown, ttl?: number): boolean {
    this.delete(key);
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    const bytes = Buffer.byteLength(text);
    if (bytes > this.most.entryBytes) return false;
    const value = typeof given === 'string' ? JSON.parse(given) : given;
    this.kept.set(key, { value, bytes, endsAt: ttl ? Date.now() + ttl : Number.POSITIVE_INFINITY });
    this.bytes += bytes;
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= this.most.bytes) break;
      this.delete(oldest);
    }
    return true;
  }

  delete(key: string): boolean {
    this.bytes -= this.kept.get(key)?.bytes ?? 0;
    return this.kept.delete(key);
  }

  deleteMany(keys: string[]): boolean {
    return keys.map((key) => this.delete(key)).includes(true);
  }

  pull(key: string): string | undefined {
    const value = this.get(key);
    this.delete(key);
    return value;
  }

  clear(): void {
    this.kept.clear();
    this.bytes = 0;
  }

  getRemainingTtl(key: string): number | undefined {
    const endsAt = this.kept.get(key)?.endsAt;
    return endsAt === undefined ? undefined : endsAt - Date.now();
  }

  namespace(): ProcessMemory {
    return this;
  }

  disconnect(): void {
    this.clear();
  }
}
