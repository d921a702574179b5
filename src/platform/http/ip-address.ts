import { isIPv4, isIPv6 } from 'node:net';

/** The first six groups of `::ffff:0:0/96`. */
const IPV4_MAPPED = '0:0:0:0:0:ffff';

/** Returns what one subscriber has: an IPv4 address, or an IPv6 /64, in which a single machine may use any address. */
export function subscriberOf(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const address = unmapped(ip);
  return isIPv4(address) ? address : `${ipv6Groups(address).slice(0, 4).join(':')}::/64`;
}

export function unmapped(ip: string): string {
  return embeddedIPv4(ip, IPV4_MAPPED) ?? withoutZone(ip);
}

export function embeddedIPv4(ip: string, prefix: string): string | undefined {
  if (isIPv4(ip)) return undefined;
  const groups = ipv6Groups(ip);
  if (groups.slice(0, 6).join(':') !== prefix) return undefined;
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** The URL parser normalises every spelling to lower-case hexadecimal with at most one `::`. */
function ipv6Groups(ip: string): string[] {
  const [head = '', tail = ''] = new URL(`http://[${withoutZone(ip)}]`).hostname.slice(1, -1).split('::');
  const [front, back] = [head, tail].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  return [...front, ...new Array<string>(8 - front.length - back.length).fill('0'), ...back];
}

function withoutZone(ip: string): string {
  return ip.replace(/%.*$/, '');
}
