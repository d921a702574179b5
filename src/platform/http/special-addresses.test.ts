import { describe, expect, it } from 'vitest';
import { contains, isSpecialAddress, networkList, specialKind } from './special-addresses.js';

describe('special addresses', () => {
  it.each([
    ['127.0.0.1', 'a loopback address'],
    ['127.255.255.254', 'a loopback address'],
    ['::1', 'a loopback address'],
    ['10.0.0.1', 'a private address'],
    ['172.16.0.1', 'a private address'],
    ['172.31.255.255', 'a private address'],
    ['192.168.1.1', 'a private address'],
    ['169.254.169.254', 'a link-local address'],
    ['fe80::1', 'a link-local address'],
    ['fe80::1%eth0', 'a link-local address'],
    ['febf::1', 'a link-local address'],
    ['0.0.0.0', 'an unspecified address'],
    ['0.1.2.3', 'an unspecified address'],
    ['::', 'an unspecified address'],
    ['100.64.0.1', 'a shared (carrier-grade NAT) address'],
    ['100.127.255.255', 'a shared (carrier-grade NAT) address'],
    ['192.0.0.8', 'a protocol assignment'],
    ['192.88.99.1', 'a protocol assignment'],
    ['2001::1', 'a protocol assignment'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'a protocol assignment'],
    ['2002:7f00:1::', 'a protocol assignment'],
    ['64:ff9b:1::a00:1', 'a protocol assignment'],
    ['192.0.2.1', 'a documentation address'],
    ['198.51.100.1', 'a documentation address'],
    ['203.0.113.1', 'a documentation address'],
    ['2001:db8::1', 'a documentation address'],
    ['3fff::1', 'a documentation address'],
    ['198.18.0.1', 'a benchmarking address'],
    ['198.19.255.255', 'a benchmarking address'],
    ['224.0.0.1', 'a multicast address'],
    ['239.255.255.255', 'a multicast address'],
    ['ff02::1', 'a multicast address'],
    ['240.0.0.1', 'a reserved address'],
    ['255.255.255.255', 'a reserved address'],
    ['fc00::1', 'a unique local address'],
    ['fd00:ec2::254', 'a unique local address'],
    ['fec0::1', 'a unique local address'],
    ['168.63.129.16', 'the inside of a cloud platform'],
    ['100::1', 'a reserved address'],
    ['4000::1', 'a reserved address'],
    ['5f00::1', 'a reserved address'],
    ['::ffff:10.0.0.1', 'a private address'],
    ['::ffff:7f00:1', 'a loopback address'],
    ['0:0:0:0:0:FFFF:A9FE:A9FE', 'a link-local address'],
    ['::127.0.0.1', 'a reserved address'],
    ['::ffff:0:127.0.0.1', 'a reserved address'],
    ['64:ff9b::10.0.0.1', 'a private address'],
    ['64:ff9b::7f00:1', 'a loopback address'],
  ])('%s is %s', (ip, kind) => {
    expect(specialKind(ip)).toBe(kind);
    expect(isSpecialAddress(ip)).toBe(true);
  });

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '100.63.255.255',
    '100.128.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.1',
    '192.169.0.1',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2001:4860:4860::8888',
    '2001:200::1',
    '::ffff:1.1.1.1',
    '64:ff9b::1.1.1.1',
  ])('%s is public', (ip) => expect(isSpecialAddress(ip)).toBe(false));
});

describe('a list of networks', () => {
  const networks = networkList(['10.1.0.0/16', '192.168.0.7', 'fd12::/16', 'fe80::1']);

  it('holds the addresses of its networks and no others', () => {
    expect(contains(networks, '10.1.2.3')).toBe(true);
    expect(contains(networks, '10.2.0.1')).toBe(false);
    expect(contains(networks, 'fd12::99')).toBe(true);
    expect(contains(networks, 'fd13::99')).toBe(false);
  });

  it('takes a single address as itself alone', () => {
    expect(contains(networks, '192.168.0.7')).toBe(true);
    expect(contains(networks, '192.168.0.8')).toBe(false);
    expect(contains(networks, 'fe80::1')).toBe(true);
    expect(contains(networks, 'fe80::2')).toBe(false);
  });

  it('sees the IPv4 address in a mapped one', () => {
    expect(contains(networks, '::ffff:10.1.2.3')).toBe(true);
    expect(contains(networks, '::ffff:a02:1')).toBe(false);
  });
});
