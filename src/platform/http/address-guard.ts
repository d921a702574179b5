import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { RequestFault } from './request-fault.js';
import { contains, networkList, specialKind } from './special-addresses.js';

/** Every address of a name, as the system finds them. */
export type NameLookup = (hostname: string) => Promise<LookupAddress[]>;
export const NAME_LOOKUP = Symbol('name lookup');

export const systemLookup: NameLookup = (hostname) => dns.lookup(hostname, { all: true });

/** Keeps requests away from private, loopback and otherwise special addresses that the operator did not allow. */
export class AddressGuard {
  private readonly allowed;

  constructor(
    allowNetworks: string[],
    private readonly lookupName: NameLookup,
  ) {
    this.allowed = networkList(allowNetworks);
  }

  /** A connector asks no lookup for an address literal, so it is checked here; names are checked when they are looked up. */
  checkLiteral({ hostname }: URL): void {
    const literal = hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal)) this.check(literal);
  }

  /** What can be told without asking a name server. */
  checkSpelling(url: URL): void {
    if (isLocalhost(url.hostname)) this.check('127.0.0.1');
    else this.checkLiteral(url);
  }

  /** The connector's only lookup: what passes here is what gets connected to, so a second DNS answer cannot slip in. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.addressesOf(hostname).then(
      ([first, ...others]) => {
        if (options.all) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };

  private async addressesOf(hostname: string): Promise<[LookupAddress, ...LookupAddress[]]> {
    const [first, ...others] = await this.lookupName(isLocalhost(hostname) ? 'localhost' : hostname);
    if (!first) throw new RequestFault('NETWORK_ERROR', 'has no address');
    for (const { address } of [first, ...others]) this.check(address);
    return [first, ...others];
  }

  private check(address: string): void {
    const kind = contains(this.allowed, address) ? undefined : specialKind(address);
    if (!kind) return;
    const advice = 'list it in MILLRACE_ALLOW_NETWORKS to allow it';
    throw new RequestFault('ADDRESS_REFUSED', `leads to ${address}, ${kind}; ${advice}`);
  }
}

/** Some resolvers know `localhost` but not `localhost.` or `x.localhost`, which mean the same (RFC 6761). */
function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}
