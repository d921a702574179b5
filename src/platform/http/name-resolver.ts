import { promises as dns, type LookupAddress } from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.js';
import { CONFIG } from '../config.token.js';
import { hostOf } from './host-of.js';
import { LocalNames } from './local-names.js';
import { RequestFault } from './request-fault.js';
import { ResolutionTimes } from './resolution-times.js';

const QUERY = { timeout: 1_000, tries: 2 };
/** c-ares asks several servers one after the other; whoever waits for the answer does not wait for all of them. */
const TIMEOUT_MS = 3_000;
/** An IPv6 address that comes later than this after the IPv4 one is not waited for. */
const SECOND_FAMILY_MS = 300;
const MAX_GOOD_MS = 60_000;
const MIN_GOOD_MS = 5_000;
/** A name that could not be resolved is not asked for again for this long. */
const FAILED_MS = 60_000;
const MAX_NAMES = 20_000;

/**
 * Lookups at once of names that this process has not resolved before. Names of dead servers are among them, and each takes all of
 * its time; names that resolved before need not wait for them.
 */
const MAX_NEW_LOOKUPS = 24;
const MAX_LOOKUPS = 256;
/** Of one registrable domain. */
const MAX_DOMAIN_LOOKUPS = 4;
/** Who has waited for longer gives its place to others, and comes back later. */
const LINE_MS = 1_000;
const LINE_POLL_MS = 25;
const COME_BACK_MS = { least: 10_000, most: 40_000 };

interface Turn {
  domain: string;
  isNew: boolean;
}

type Resolved = { addresses: LookupAddress[] } | { error: Error };

/**
 * Resolves names over DNS without the threads that `getaddrinfo` takes: four names of a dead name server would stop all outgoing
 * requests, and with them all unpacking of answers. `/etc/hosts` and the search domains of `/etc/resolv.conf` count; other sources of
 * nsswitch.conf, such as mDNS, do not.
 */
@Injectable()
export class NameResolver {
  readonly times = new ResolutionTimes();
  private readonly resolver = new dns.Resolver(QUERY);
  private readonly local = new LocalNames();
  private readonly known = new Map<string, Resolved & { until: number }>();
  private readonly running = new Map<string, Promise<Resolved>>();
  /** By domain. */
  private readonly asked = new Map<string, number>();
  private newLookups = 0;
  private lookups = 0;

  constructor(@Inject(CONFIG) { dnsServers }: Pick<Config, 'dnsServers'>) {
    if (dnsServers.length) this.resolver.setServers(dnsServers);
  }

  /** All addresses of a name, IPv4 first. Fails with ENOTFOUND or EAI_AGAIN, as the system does, or with HOST_BUSY. */
  readonly lookup = async (hostname: string): Promise<LookupAddress[]> => {
    const name = hostname.toLowerCase();
    const here = await this.local.addressesOf(name);
    if (here) return here;
    const known = this.known.get(name);
    const resolved = known && known.until > Date.now() ? known : await this.resolveOnce(name, known);
    if ('error' in resolved) throw resolved.error;
    return resolved.addresses;
  };

  /** Many who want the same name wait for one answer. */
  private async resolveOnce(name: string, known: Resolved | undefined): Promise<Resolved> {
    const running = this.running.get(name) ?? this.resolveInTurn(name, !known || 'error' in known);
    this.running.set(name, running);
    try {
      return await running;
    } finally {
      this.running.delete(name);
    }
  }

  private async resolveInTurn(name: string, isNew: boolean): Promise<Resolved> {
    const turn = { domain: hostOf(new URL(`http://${name}/`)), isNew };
    await this.takeTurn(turn);
    const startedAt = performance.now();
    try {
      const { resolved, goodForMs } = await this.resolve(name);
      const isAnswered = !('error' in resolved) || codeOf(resolved.error) === 'ENOTFOUND';
      this.times.add({ ms: performance.now() - startedAt, isAnswered });
      this.remember(name, { ...resolved, until: Date.now() + goodForMs });
      return resolved;
    } finally {
      this.count(turn, -1);
    }
  }

  private async takeTurn(turn: Turn): Promise<void> {
    const { domain, isNew } = turn;
    const isFull = () =>
      this.lookups >= MAX_LOOKUPS ||
      (isNew && (this.newLookups >= MAX_NEW_LOOKUPS || (this.asked.get(domain) ?? 0) >= MAX_DOMAIN_LOOKUPS));
    const endsAt = Date.now() + LINE_MS;
    while (isFull()) {
      if (Date.now() > endsAt) throw tooManyLookups();
      await sleep(LINE_POLL_MS);
    }
    // At once, so that nobody else sees the place as free.
    this.count(turn, 1);
  }

  private count({ domain, isNew }: Turn, by: 1 | -1): void {
    this.lookups += by;
    if (isNew) this.newLookups += by;
    const left = (this.asked.get(domain) ?? 0) + by;
    if (left) this.asked.set(domain, left);
    else this.asked.delete(domain);
  }

  private async resolve(name: string): Promise<{ resolved: Resolved; goodForMs: number }> {
    let error: Error = notFound();
    for (const candidate of await this.local.candidatesFor(name)) {
      const answer = await Promise.race([this.query(candidate), timedOut()]);
      if ('addresses' in answer) return { resolved: answer, goodForMs: answer.goodForMs };
      error = answer.error;
      if (codeOf(error) !== 'ENOTFOUND') break;
    }
    return { resolved: { error }, goodForMs: FAILED_MS };
  }

  private async query(name: string): Promise<{ addresses: LookupAddress[]; goodForMs: number } | { error: Error }> {
    const v4 = this.resolver.resolve4(name, { ttl: true }).catch(errorOf);
    const v6 = this.resolver.resolve6(name, { ttl: true }).catch(errorOf);
    const first = await v4;
    const second = await (first instanceof Error ? v6 : Promise.race([v6, sleep(SECOND_FAMILY_MS, notFound())]));
    const records = [
      ...(first instanceof Error ? [] : first.map((record) => ({ ...record, family: 4 }))),
      ...(second instanceof Error ? [] : second.map((record) => ({ ...record, family: 6 }))),
    ];
    if (records.length) {
      const ttl = Math.min(...records.map((record) => record.ttl)) * 1_000;
      const goodForMs = Math.min(Math.max(ttl, MIN_GOOD_MS), MAX_GOOD_MS);
      return { addresses: records.map(({ address, family }) => ({ address, family })), goodForMs };
    }
    const isMissing = [first, second].every((answer) => answer instanceof Error && MISSING.has(codeOf(answer)));
    return { error: isMissing ? notFound() : noAnswer() };
  }

  /** The oldest are forgotten first. */
  private remember(name: string, resolved: Resolved & { until: number }): void {
    this.known.delete(name);
    this.known.set(name, resolved);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= MAX_NAMES) return;
      this.known.delete(oldest);
    }
  }
}

/** A name server has answered, and there is no such address. */
const MISSING = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

const errorOf = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
const codeOf = (error: Error) => ('code' in error ? String(error.code) : '');
const notFound = () => Object.assign(new Error('its name does not resolve'), { code: 'ENOTFOUND' });
const noAnswer = () => Object.assign(new Error('no name server answered for its name'), { code: 'EAI_AGAIN' });
const timedOut = () => sleep(TIMEOUT_MS, { error: noAnswer() }, { ref: false });

function tooManyLookups(): RequestFault {
  const { least, most } = COME_BACK_MS;
  const until = new Date(Date.now() + least + Math.random() * (most - least));
  return new RequestFault('HOST_BUSY', `waits: too many names are being looked up until ${until.toISOString()}`, {
    until,
  });
}
