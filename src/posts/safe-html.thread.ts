import { serveThread } from '../platform/threads/serve-thread.js';
import { CpuWatch } from '../platform/threads/thread-cpu.js';
import { type SafeHtml, safeHtml } from './safe-html.js';
import { textOnly } from './text-only.js';

export interface UnsafeHtml {
  html: string;
  base?: string | undefined;
}

export interface SanitiserInput {
  posts: UnsafeHtml[];
  /** CPU time limit. Remaining posts are converted to text. */
  cpuMs: number;
}

export interface SanitiserOutput {
  made: SafeHtml[];
  cpuMs: number;
}

serveThread(({ posts, cpuMs }: SanitiserInput): SanitiserOutput => {
  const watch = new CpuWatch();
  const made = posts.map(({ html, base }) => (watch.hasUsed(cpuMs) ? textOnly(html) : safeHtml(html, { base })));
  return { made, cpuMs: watch.usedMs() };
});
