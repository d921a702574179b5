import { getDomain } from 'tldts';

/** Whom a URL is served by, for budgets and back-off: the registrable domain, or the address or name itself where there is none. */
export function hostOf({ hostname }: URL): string {
  // Blogs on a shared suffix (github.io, blogspot.com) are hosts of their own.
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname.replace(/\.$/, '');
}
