import { fileURLToPath } from 'node:url';

/** What Vite made of `web/`, seen from `src/` and from `dist/src/` alike. */
const here = import.meta.url;
export const PAGE_FOLDER = fileURLToPath(
  new URL(here.includes('/dist/src/') ? '../../page/' : '../../dist/page/', here),
);
