import type { Site } from '../local-sites.js';

/** The number of attempts that an import makes for a feed. */
const FAILURES = 3;

/** Makes the feed of a site fail until an import has given up. A replay then succeeds. */
export function unreliableAtFirst(site: Site): Site {
  let failures = 0;
  return (visit) => {
    if (!visit.url.pathname.startsWith('/feed') || failures === FAILURES) return site(visit);
    failures += 1;
    return { status: 500, body: 'The archive is being moved to another shelf.' };
  };
}
