import { serveThread } from '../platform/threads/serve-thread.js';
import { feedLinks } from './feed-links.js';
import { readOpml } from './read-opml.js';

export type DocumentTask = { html: string; url: string } | { opml: string };

serveThread((task: DocumentTask) => ('opml' in task ? readOpml(task.opml) : feedLinks(task.html, task.url)));
