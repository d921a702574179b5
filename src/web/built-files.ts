import { fileURLToPath } from 'node:url';

/** What Vite made of `web/`, seen from `src/` and from `dist/src/` alike. */
const here = import.meta.url;
export const BUILT_FILES = fileURLToPath(new URL(here.includes('/dist/src/') ? '../../web/' : '../../dist/web/', here));
