import { type FeedDocument, FetchFailure } from '../../src/fetching/fetcher.js';
import { parseFeed } from '../../src/fetching/parsing/parse-feed.js';
import { serveThread } from '../../src/platform/threads/serve-thread.js';
import { CpuWatch } from '../../src/platform/threads/thread-cpu.js';

/** What identifies a post: its id, link and title. */
export type PostKeys = [string, string, string];

export interface DamagedReading {
  /** Undefined if the document was refused. */
  posts?: PostKeys[] | undefined;
  cpuMs: number;
}

serveThread((document: FeedDocument): DamagedReading => {
  const watch = new CpuWatch();
  const posts = readPosts(document);
  return { posts, cpuMs: watch.usedMs() };
});

function readPosts(document: FeedDocument): PostKeys[] | undefined {
  try {
    return parseFeed(document).posts.map(({ externalId, url = '', title = '' }) => [externalId, url, title]);
  } catch (error) {
    if (error instanceof FetchFailure) return undefined;
    throw error;
  }
}
