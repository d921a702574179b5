import { getDomain } from 'tldts';

/** Whom a URL is served by, for budgets and back-off: the registrable domain, or the address or name itself where there is none. */
export function hostOf({ hostname }: URL): string {
  // Blogs on a shared suffix (github.io, blogspot.com) are hosts of their own.
  return getDomain(hostname, { allowPrivateDomains: true }) ?? withoutDot(hostname);
}

/** The same, where names that the operator has given a limit are hosts of their own, with all that lies below them. */
export function limitedHostOf(url: URL, named: { has(name: string): boolean; size: number }): string {
  if (!named.size) return hostOf(url);
  const labels = withoutDot(url.hostname).split('.');
  const names = labels.map((_, at) => labels.slice(at).join('.'));
  return names.find((name) => named.has(name)) ?? hostOf(url);
}

const withoutDot = (hostname: string) => hostname.replace(/\.$/, '');
