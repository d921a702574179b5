import { serveThread } from '../platform/threads/serve-thread.js';
import { feedLinks } from './feed-links.js';
import { type OpmlFeed, readOpml } from './read-opml.js';

export type DocumentTask = { html: string; url: string } | { opml: string; mostOutlines?: number | undefined };

const BATCH_SIZE = 1_000;

/** As text, some at a time: to unpack a hundred thousand objects at once would hold up who asked. */
function inSlices(feeds: OpmlFeed[]): string[] {
  const slices = Math.ceil(feeds.length / BATCH_SIZE);
  return Array.from({ length: slices }, (_, at) => JSON.stringify(feeds.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE)));
}

serveThread((task: DocumentTask) =>
  'opml' in task ? inSlices(readOpml(task.opml, task.mostOutlines)) : feedLinks(task.html, task.url),
);
