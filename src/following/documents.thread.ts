import { serveThread } from '../platform/threads/serve-thread.js';
import { feedLinks } from './feed-links.js';
import { type OpmlFeed, readOpml } from './read-opml.js';

export type DocumentTask = { html: string; url: string } | { opml: string; maxOutlines?: number | undefined };

const BATCH_SIZE = 1_000;

/** Batches are sent as text, because receiving 100,000 objects at once would block the event loop. */
function toBatches(feeds: OpmlFeed[]): string[] {
  const batches = Math.ceil(feeds.length / BATCH_SIZE);
  return Array.from({ length: batches }, (_, at) =>
    JSON.stringify(feeds.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE)),
  );
}

serveThread((task: DocumentTask) =>
  'opml' in task ? toBatches(readOpml(task.opml, task.maxOutlines)) : feedLinks(task.html, task.url),
);
