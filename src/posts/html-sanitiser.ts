import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import type { Log } from '../platform/log/log.js';
import { LOG } from '../platform/log/log.js';
import { ThreadPool } from '../platform/threads/thread-pool.js';
import { plainHtml } from './plain-html.js';
import type { SafeHtml } from './safe-html.js';
import type { SanitiserInput, SanitiserOutput, UnsafeHtml } from './safe-html.thread.js';
import { textOnly } from './text-only.js';

const THREADS = 2;
const TIMEOUT_MS = 3_000;
const MEMORY_MB = 256;
/** So many characters go to a thread at once. */
const BATCH = 500_000;
/** In characters, of a post and of a page: the worst of it holds the main thread up for some milliseconds. */
const SHORT = 10_000;
const MAX_HERE = 100_000;
/** CPU time for all posts of a document; what is left after it is shown as text. */
const MAX_DOCUMENT_CPU_MS = 10_000;

/** Makes the HTML of posts safe to show, off the main thread. Never fails: what cannot be parsed is shown as text. */
@Injectable()
export class HtmlSanitiser implements OnApplicationShutdown {
  private readonly threads = new ThreadPool<SanitiserInput, SanitiserOutput>({
    module: new URL('./safe-html.thread.js', import.meta.url),
    size: THREADS,
    timeoutMs: TIMEOUT_MS,
    memoryMb: MEMORY_MB,
  });
  private closed = false;

  constructor(
    @Inject(LOG) private readonly log: Log,
    @Optional() private readonly maxDocumentCpuMs: number = MAX_DOCUMENT_CPU_MS,
  ) {}

  /** In the order of the posts. What is short and plain is not worth the way to a thread. */
  async make(posts: UnsafeHtml[]): Promise<SafeHtml[]> {
    const plain = this.makePlain(posts);
    const others = await this.makeInThreads(posts.filter((_, at) => !plain[at]));
    return plain.map((safe) => safe ?? (others.shift() as SafeHtml));
  }

  private makePlain(posts: UnsafeHtml[]): (SafeHtml | undefined)[] {
    let room = MAX_HERE;
    return posts.map(({ html }) => {
      if (html.length > Math.min(SHORT, room)) return undefined;
      room -= html.length;
      try {
        return plainHtml(html);
      } catch (err) {
        this.log.warn({ err, characters: html.length }, 'a post could not be read as plain HTML, a thread does it');
        return undefined;
      }
    });
  }

  private async makeInThreads(posts: UnsafeHtml[]): Promise<SafeHtml[]> {
    const made: SafeHtml[] = [];
    let left = this.maxDocumentCpuMs;
    for (const batch of batches(posts)) {
      const together = await this.makeBatch(batch, left);
      left -= together.cpuMs;
      if (together.made) {
        made.push(...together.made);
        continue;
      }
      for (const post of batch) {
        const alone = await this.makeBatch([post], left);
        left -= alone.cpuMs;
        made.push(...(alone.made ?? [textOnly(post.html)]));
      }
    }
    return made;
  }

  /** Nothing where a thread could not do it; that counts as all the time that it was allowed. */
  private async makeBatch(posts: UnsafeHtml[], leftMs: number): Promise<Partial<SanitiserOutput> & { cpuMs: number }> {
    try {
      return await this.threads.run({ posts, cpuMs: Math.max(0, leftMs) });
    } catch (err) {
      if (this.closed) throw err;
      const what = posts.length > 1 ? 'posts could not be made safe together' : 'a post could not be made safe';
      const next = posts.length > 1 ? 'trying one by one' : 'showing it as text';
      this.log.warn({ event: 'sanitising_failed', err, posts: posts.length }, `${what}, ${next}`);
      return { cpuMs: TIMEOUT_MS };
    }
  }

  async onApplicationShutdown() {
    this.closed = true;
    await this.threads.close();
  }
}

function batches(posts: UnsafeHtml[]): UnsafeHtml[][] {
  const all: UnsafeHtml[][] = [];
  let room = 0;
  for (const post of posts) {
    if (post.html.length > room || !all.length) {
      all.push([]);
      room = BATCH;
    }
    all.at(-1)?.push(post);
    room -= post.html.length;
  }
  return all;
}
