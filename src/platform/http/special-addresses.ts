import { BlockList, isIPv4 } from 'node:net';
import { embeddedIPv4, unmapped } from './ip-address.js';

/** Networks outside the public internet (IANA special-purpose registries), by the words of an error message. */
const SPECIAL_NETWORKS: Record<string, string[]> = {
  'a loopback address': ['127.0.0.0/8', '::1/128'],
  'a private address': ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  'a link-local address': ['169.254.0.0/16', 'fe80::/10'],
  'an unspecified address': ['0.0.0.0/8', '::/128'],
  'a shared (carrier-grade NAT) address': ['100.64.0.0/10'],
  'a protocol assignment': ['192.0.0.0/24', '192.88.99.0/24', '2001::/23', '2002::/16', '64:ff9b:1::/48'],
  'a documentation address': ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  'a benchmarking address': ['198.18.0.0/15'],
  'a multicast address': ['224.0.0.0/4', 'ff00::/8'],
  'a reserved address': ['240.0.0.0/4'],
  'a unique local address': ['fc00::/7', 'fec0::/10'],
  'the inside of a cloud platform': ['168.63.129.16/32'],
};

const KINDS = Object.entries(SPECIAL_NETWORKS).map(([kind, networks]) => ({ kind, networks: networkList(networks) }));
/** The first six groups of `64:ff9b::/96`. The last two hold an IPv4 address. */
const NAT64 = '64:ff9b:0:0:0:0';
const PUBLIC_IPV6 = networkList(['2000::/3']);

export function isSpecialAddress(ip: string): boolean {
  return specialKind(ip) !== undefined;
}

export function specialKind(ip: string): string | undefined {
  const address = innermostAddress(ip);
  const listed = KINDS.find(({ networks }) => contains(networks, address));
  if (listed) return listed.kind;
  return isIPv4(address) || contains(PUBLIC_IPV6, address) ? undefined : 'a reserved address';
}

export function networkList(networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [ip = '', bits] = network.split('/');
    const family = isIPv4(ip) ? 'ipv4' : 'ipv6';
    list.addSubnet(ip, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  return list;
}

/** An IPv4-mapped address counts as its IPv4 address. */
export function contains(networks: BlockList, ip: string): boolean {
  const address = unmapped(ip);
  return networks.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function innermostAddress(ip: string): string {
  return embeddedIPv4(ip, NAT64) ?? unmapped(ip);
}
