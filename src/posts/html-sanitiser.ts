import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Log } from '../platform/log/log.js';
import { LOG } from '../platform/log/log.token.js';
import { ThreadPool } from '../platform/threads/thread-pool.js';
import { plainHtml } from './plain-html.js';
import type { SafeHtml } from './safe-html.js';
import type { UnsafeHtml } from './safe-html.thread.js';
import { textOnly } from './text-only.js';

const THREADS = 2;
const TIMEOUT_MS = 3_000;
const MEMORY_MB = 256;
/** So many characters go to a thread at once. */
const BATCH = 500_000;
/** In characters, of a post and of a page: the worst of it holds the main thread up for some milliseconds. */
const SHORT = 10_000;
const MOST_HERE = 100_000;
/** After so many posts of one page that a thread could not do, the rest is shown as text, too. */
const MOST_CULPRITS = 5;

/** Makes the HTML of posts safe to show, off the main thread. Never fails: what cannot be parsed is shown as text. */
@Injectable()
export class HtmlSanitiser implements OnApplicationShutdown {
  private readonly threads = new ThreadPool<UnsafeHtml[], SafeHtml[]>({
    module: new URL('./safe-html.thread.js', import.meta.url),
    size: THREADS,
    timeoutMs: TIMEOUT_MS,
    memoryMb: MEMORY_MB,
  });
  private closed = false;

  constructor(@Inject(LOG) private readonly log: Log) {}

  /** In the order of the posts. What is short and plain is not worth the way to a thread. */
  async make(posts: UnsafeHtml[]): Promise<SafeHtml[]> {
    const plain = this.makePlain(posts);
    const others = await this.makeInThreads(posts.filter((_, at) => !plain[at]));
    return plain.map((safe) => safe ?? (others.shift() as SafeHtml));
  }

  private makePlain(posts: UnsafeHtml[]): (SafeHtml | undefined)[] {
    let room = MOST_HERE;
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
    let culprits = 0;
    for (const batch of batches(posts)) {
      try {
        made.push(...(await this.threads.run(batch)));
      } catch (err) {
        if (this.closed) throw err;
        this.log.warn({ err, posts: batch.length }, 'posts could not be made safe together, trying one by one');
        for (const post of batch) {
          const safe = culprits < MOST_CULPRITS ? await this.makeOne(post) : undefined;
          if (!safe) culprits++;
          made.push(safe ?? textOnly(post.html));
        }
      }
    }
    return made;
  }

  private async makeOne(post: UnsafeHtml): Promise<SafeHtml | undefined> {
    try {
      const [safe] = await this.threads.run([post]);
      return safe;
    } catch (err) {
      if (this.closed) throw err;
      this.log.warn({ err, characters: post.html.length }, 'a post could not be made safe and is shown as text');
      return undefined;
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
