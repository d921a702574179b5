import { escaped } from './feeds/render-feed.js';
import type { Reply } from './local-sites.js';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}img{max-width:100%;height:auto}article{border-top:1px solid #8886;padding:.5rem 0}small{opacity:.75}';

/** Renders a page of a made-up site; `inner` is HTML. */
export function plainPage(title: string, inner: string, head = ''): Reply {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>${head}<style>${STYLE}</style></head><body><h1>${escaped(title)}</h1>${inner}</body></html>`;
  return { body };
}
