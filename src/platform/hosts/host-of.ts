import { getDomain } from 'tldts';

/**
 * The host for limits and back-off: the registrable domain of a URL, or its address or name if it has no such domain.
 */
export function hostOf({ hostname }: URL): string {
  // Blogs on a shared suffix (github.io, blogspot.com) are separate hosts.
  return getDomain(hostname, { allowPrivateDomains: true }) ?? withoutDot(hostname);
}

/**
 * Like `hostOf`, but a name that the operator has given a limit is a host of its own, together with its subdomains.
 */
export function limitedHostOf(url: URL, named: { has(name: string): boolean; size: number }): string {
  if (!named.size) return hostOf(url);
  const labels = withoutDot(url.hostname).split('.');
  const names = labels.map((_, at) => labels.slice(at).join('.'));
  return names.find((name) => named.has(name)) ?? hostOf(url);
}

const withoutDot = (hostname: string) => hostname.replace(/\.$/, '');
