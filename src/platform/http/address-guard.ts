import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { RequestFault } from './outgoing-request-error.js';
import type { BackgroundWork } from './request-limits.js';
import { contains, networkList, specialKind } from './special-addresses.js';

export type NameLookup = (hostname: string, background?: BackgroundWork) => Promise<LookupAddress[]>;
export const NAME_LOOKUP = Symbol('name lookup');

/** The "bad ports" of the Fetch standard. A mail server may take a request for commands. */
const BAD_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

interface AllowedTargets {
  networks: string[];
  ports: number[];
}

export class AddressGuard {
  private readonly allowed;
  private readonly allowedPorts;

  constructor(
    { networks, ports }: AllowedTargets,
    private readonly lookupName: NameLookup,
  ) {
    this.allowed = networkList(networks);
    this.allowedPorts = new Set(ports);
  }

  /** The connector does no lookup for an address literal, so it is checked here. */
  checkLiteral({ hostname, port }: URL): void {
    this.checkPort(port);
    const literal = withoutBrackets(hostname);
    if (isIP(literal)) this.check(literal, ` ${literal},`);
  }

  checkSpelling(url: URL): void {
    this.checkLiteral(url);
    if (isLocalhost(url.hostname)) this.check('127.0.0.1', ' 127.0.0.1,');
  }

  /** The addresses checked here are the ones connected to, so a second DNS answer cannot slip in. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.addressesOf(hostname).then(
      ([first, ...others]) => {
        if (options.all) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };

  /** Applies the limits of background work. The connector then finds the cached answer. */
  async lookUpAhead({ hostname }: URL, background: BackgroundWork): Promise<void> {
    if (!isIP(withoutBrackets(hostname))) await this.addressesOf(hostname, background);
  }

  private async addressesOf(
    hostname: string,
    background?: BackgroundWork,
  ): Promise<[LookupAddress, ...LookupAddress[]]> {
    const [first, ...others] = await this.lookupName(isLocalhost(hostname) ? 'localhost' : hostname, background);
    if (!first) throw new RequestFault('NETWORK_ERROR', 'has no address');
    const isShown = isLocalhost(hostname);
    for (const { address } of [first, ...others]) this.check(address, isShown ? ` ${address},` : '');
    return [first, ...others];
  }

  private checkPort(port: string): void {
    const number = Number(port);
    if (port === '' || !BAD_PORTS.has(number) || this.allowedPorts.has(number)) return;
    const advice = 'list it in MILLRACE_ALLOW_PORTS to allow it';
    throw new RequestFault('ADDRESS_REFUSED', `has a port that is not for web servers (${number}); ${advice}`);
  }

  /** The resolved address may be internal, so the error does not name it. */
  private check(address: string, shown: string): void {
    const kind = contains(this.allowed, address) ? undefined : specialKind(address);
    if (!kind) return;
    const advice = 'list its network in MILLRACE_ALLOW_NETWORKS to allow it';
    throw new RequestFault('ADDRESS_REFUSED', `leads to${shown} ${kind}; ${advice}`);
  }
}

const withoutBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, '');

/** Some resolvers know `localhost` but not `localhost.` or `x.localhost`, which are equivalent (RFC 6761). */
function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}
