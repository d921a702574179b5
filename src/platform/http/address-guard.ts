import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { RequestFault } from './outgoing-request-error.js';
import { contains, networkList, specialKind } from './special-addresses.js';

/** Work that can be retried later and therefore does not wait for a name that resolves slowly. */
export interface BackgroundWork {
  /** The one user that the work is done for. Lookups of one owner are limited together. */
  owner?: string | undefined;
  /** The request belongs to a schedule, which plans with what other requests leave of a host's rate limit. */
  isPlanned?: boolean | undefined;
  /** All requests with a cap together, from all processes, send a host at most this many requests a second. */
  maxPerSecond?: number | undefined;
}

export type NameLookup = (hostname: string, background?: BackgroundWork) => Promise<LookupAddress[]>;
export const NAME_LOOKUP = Symbol('name lookup');

/**
 * Ports of protocols other than HTTP (the "bad ports" of the Fetch standard). A mail server, for example, may take a
 * request for commands.
 */
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

/** Refuses requests to special addresses and ports that the operator did not allow. */
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

  /**
   * The connector does no lookup for an address literal, so it is checked here. Names are checked when they are looked
   * up.
   */
  checkLiteral({ hostname, port }: URL): void {
    this.checkPort(port);
    const literal = withoutBrackets(hostname);
    if (isIP(literal)) this.check(literal, ` ${literal},`);
  }

  checkSpelling(url: URL): void {
    this.checkLiteral(url);
    if (isLocalhost(url.hostname)) this.check('127.0.0.1', ' 127.0.0.1,');
  }

  /**
   * This is the connector's only lookup. The addresses checked here are the ones connected to, so a second DNS answer
   * cannot slip in.
   */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.addressesOf(hostname).then(
      ([first, ...others]) => {
        if (options.all) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };

  /**
   * Looks up the name of a URL with the limits of background work. The connector's lookup then finds the cached
   * answer.
   */
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

  /**
   * The error does not name the resolved address, which may belong to an internal network that the caller must not
   * learn about.
   */
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
