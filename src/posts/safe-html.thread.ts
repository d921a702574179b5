import { serveThread } from '../platform/threads/serve-thread.js';
import { CpuWatch } from '../platform/threads/thread-cpu.js';
import { type SafeHtml, safeHtml } from './safe-html.js';
import { textOnly } from './text-only.js';

export interface UnsafeHtml {
  html: string;
  /** What its relative addresses are relative to. */
  base?: string | undefined;
}

export interface SanitiserInput {
  posts: UnsafeHtml[];
  /** CPU time after which the rest is shown as text. */
  cpuMs: number;
}

export interface SanitiserOutput {
  made: SafeHtml[];
  /** CPU time that it took. */
  cpuMs: number;
}

serveThread(({ posts, cpuMs }: SanitiserInput): SanitiserOutput => {
  const watch = new CpuWatch();
  const made = posts.map(({ html, base }) => (watch.hasUsed(cpuMs) ? textOnly(html) : safeHtml(html, { base })));
  return { made, cpuMs: watch.usedMs() };
});
