import { getDomain } from 'tldts';

/** Returns the unit of limits and back-off: the registrable domain, or the address or name if there is none. */
export function hostOf({ hostname }: URL): string {
  // Blogs on a shared suffix (github.io, blogspot.com) are separate hosts.
  return getDomain(hostname, { allowPrivateDomains: true }) ?? withoutDot(hostname);
}

/** Like `hostOf`, but a name with a limit from the operator is a host of its own, with its subdomains. */
export function limitedHostOf(url: URL, named: { has(name: string): boolean; size: number }): string {
  if (!named.size) return hostOf(url);
  const labels = withoutDot(url.hostname).split('.');
  const names = labels.map((_, at) => labels.slice(at).join('.'));
  return names.find((name) => named.has(name)) ?? hostOf(url);
}

const withoutDot = (hostname: string) => hostname.replace(/\.$/, '');
