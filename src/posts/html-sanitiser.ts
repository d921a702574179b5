import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { LOG, type Log } from '../platform/log/log.js';
import { ThreadPool } from '../platform/threads/thread-pool.js';
import { plainHtml } from './plain/plain-html.js';
import type { SafeHtml } from './safe-html.js';
import type { SanitiserInput, SanitiserOutput, UnsafeHtml } from './safe-html.thread.js';
import { textOnly } from './text-only.js';

const THREADS = 2;
const TIMEOUT_MS = 3_000;
const MEMORY_MB = 256;
const BATCH = 500_000;
/** Maximum characters of a document sanitised on the main thread. Most take 5 ns each, hostile ones up to 130. */
const MAX_HERE = 500_000;
/** Other tasks of the main thread run after this many characters. */
const MAX_AT_ONCE = 50_000;
/** Maximum CPU time for all posts of a document. The remaining posts are converted to text. */
const MAX_DOCUMENT_CPU_MS = 10_000;

/** Never fails: HTML that cannot be parsed is converted to text. */
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

  /** Plain HTML is handled here, because a thread would take longer. */
  async make(posts: UnsafeHtml[]): Promise<SafeHtml[]> {
    const plain = await this.makePlain(posts);
    const others = (await this.makeInThreads(posts.filter((_, at) => !plain[at]))).values();
    return plain.map((safe) => safe ?? (others.next().value as SafeHtml));
  }

  private async makePlain(posts: UnsafeHtml[]): Promise<(SafeHtml | undefined)[]> {
    const made: (SafeHtml | undefined)[] = [];
    let capacity = MAX_HERE;
    let atOnce = 0;
    for (const post of posts) {
      const { length } = post.html;
      if (length > capacity) {
        made.push(undefined);
        continue;
      }
      if (atOnce > 0 && atOnce + length > MAX_AT_ONCE) {
        await setImmediate();
        atOnce = 0;
      }
      made.push(this.plain(post));
      capacity -= length;
      atOnce += length;
    }
    return made;
  }

  private plain({ html, base }: UnsafeHtml): SafeHtml | undefined {
    try {
      return plainHtml(html, base);
    } catch (err) {
      this.log.warn(
        { event: 'plain_html_failed', err, characters: html.length },
        'Could not parse plain HTML, using a thread',
      );
      return undefined;
    }
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

  /** Returns no posts if the thread failed, which counts as the full timeout. */
  private async makeBatch(posts: UnsafeHtml[], leftMs: number): Promise<Partial<SanitiserOutput> & { cpuMs: number }> {
    try {
      return await this.threads.run({ posts, cpuMs: Math.max(0, leftMs) });
    } catch (err) {
      if (this.closed) throw err;
      const what = posts.length > 1 ? 'Could not sanitise a batch of posts' : 'Could not sanitise a post';
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
  let capacity = 0;
  for (const post of posts) {
    if (post.html.length > capacity || !all.length) {
      all.push([]);
      capacity = BATCH;
    }
    all.at(-1)?.push(post);
    capacity -= post.html.length;
  }
  return all;
}
