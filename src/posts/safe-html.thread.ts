import { serveThread } from '../platform/threads/serve-thread.js';
import { type SafeHtml, safeHtml } from './safe-html.js';

export interface UnsafeHtml {
  html: string;
  /** What its relative addresses are relative to. */
  base?: string | undefined;
}

serveThread((posts: UnsafeHtml[]): SafeHtml[] => posts.map(({ html, base }) => safeHtml(html, { base })));
