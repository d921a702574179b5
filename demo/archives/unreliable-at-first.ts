import type { Site } from '../local-sites.js';

/** As often as an import tries a feed. */
const FAILURES = 3;

/** Lets a site fail until whoever asks has given up; who comes back later finds it mended. */
export function unreliableAtFirst(site: Site): Site {
  let failures = 0;
  return (visit) => {
    if (!visit.url.pathname.startsWith('/feed') || failures === FAILURES) return site(visit);
    failures += 1;
    return { status: 500, body: 'The archive is being moved to another shelf.' };
  };
}
