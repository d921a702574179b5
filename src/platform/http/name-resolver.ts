import type { LookupAddress } from 'node:dns';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { hostOf } from '../hosts/host-of.js';
import { databaseTime } from '../time/database-time.js';
import { withTimeout } from '../time/with-timeout.js';
import type { NameLookup } from './address-guard.js';
import { DnsQueries, isNotFound, type NameAnswer, noAnswer } from './dns-queries.js';
import { LocalNames } from './local-names.js';
import { RequestFault } from './outgoing-request-error.js';
import type { BackgroundWork } from './request-limits.js';
import { ResolutionTimes } from './resolution-times.js';

/** `trusted` names resolved before, `bulk` ones are new and of one owner, `suspect` ones failed last time. */
const MAX_LOOKUPS = { trusted: 512, new: 256, bulk: 128, suspect: 64 };

const MAX_OWNER_LOOKUPS = 64;

const MAX_DOMAIN_LOOKUPS = 4;

/** Counts running lookups. Nothing waits here: a lookup beyond a limit is refused. */
class LookupBounds {
  private readonly counts = new Map<string, number>();

  enter(lookup: BoundedLookup): boolean {
    const bounds = boundsOf(lookup);
    if (bounds.some(({ key, max }) => (this.counts.get(key) ?? 0) >= max)) return false;
    for (const { key } of bounds) this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    return true;
  }

  leave(lookup: BoundedLookup): void {
    for (const { key } of boundsOf(lookup)) {
      const left = (this.counts.get(key) ?? 0) - 1;
      if (left > 0) this.counts.set(key, left);
      else this.counts.delete(key);
    }
  }
}

const FAILED_MS = 60_000;
/** If no name server answers, addresses are used for this long after they were found, in milliseconds. */
const STALE_MS = 3_600_000;
const MAX_NAMES = 20_000;

/** After this many unanswered lookups in a row, new names below a domain fail without a lookup for FAILED_MS. */
const MAX_UNANSWERED = 4;
const MAX_DOMAINS = 2_000;

/** Recently resolved names, one of each domain. Some of them are looked up to check the name servers. */
const MAX_CANARIES = 30;
const CANARIES_BATCH_SIZE = 3;

/** Delays before background work is retried (ms), randomised so that retries do not coincide. */
const SLOW_NAME_DELAY_MS = { min: 3_000, max: 8_000 };
const FULL_DELAY_MS = { min: 10_000, max: 40_000 };
const OUTAGE_DELAY_MS = { min: 60_000, max: 180_000 };

interface KnownName {
  addresses: LookupAddress[];
  error: Error | undefined;
  freshUntil: number;
  usableUntil: number;
}

/** A lookup never waits: it starts at once or is refused. Background work does not wait for slow answers either. */
@Injectable()
export class NameResolver {
  readonly times = new ResolutionTimes();
  private readonly local = new LocalNames();
  private readonly queries: DnsQueries;
  private readonly bounds = new LookupBounds();
  private readonly known = new Map<string, KnownName>();
  private readonly running = new Map<string, Promise<KnownName>>();
  private readonly unanswered = new Map<string, { count: number; until: number }>();
  private readonly canaries = new Map<string, string>();

  constructor(@Inject(CONFIG) { dnsServers }: Pick<Config, 'dnsServers'>) {
    this.queries = new DnsQueries(dnsServers, this.local);
  }

  /** Fails with ENOTFOUND or EAI_AGAIN, or with HOST_BUSY if the name is not to blame. */
  readonly lookup: NameLookup = async (hostname, background) => {
    const name = hostname.toLowerCase();
    const local = await this.local.addressesOf(name);
    if (local) return local;
    const known = this.known.get(name);
    const isFresh = known && known.freshUntil > performance.now();
    const { addresses, error } = isFresh ? known : await this.ask(name, known, background);
    if (!error) return addresses;
    const isOutage = !isNotFound(error) && this.times.problem()?.severity === 'critical';
    throw background && isOutage ? comeBack('name resolution does not work', OUTAGE_DELAY_MS) : error;
  };

  async sendCanaries(): Promise<void> {
    if (!this.times.hasDoubts()) return;
    const names = [...this.canaries.values()].toSorted(() => Math.random() - 0.5).slice(0, CANARIES_BATCH_SIZE);
    const lookups = names.map((name) => this.running.get(name) ?? this.start(name, { kind: 'trusted' }));
    if (names.length) return void (await Promise.all(lookups));
    const startedAt = performance.now();
    const isAnswered = await this.queries.answersForRoot();
    this.times.add({ ms: performance.now() - startedAt, isAnswered });
  }

  private async ask(name: string, known: KnownName | undefined, background: BackgroundWork | undefined) {
    const owner = background?.owner;
    const running = this.running.get(name) ?? this.start(name, { kind: kindOf(known, background), owner });
    const usable = known && known.usableUntil > performance.now() ? known : undefined;
    const isPatient = !background && !usable;
    const inTime = () =>
      running && withTimeout<KnownName | undefined>(running, this.times.patienceMs(), () => undefined);
    const answer = await (isPatient ? running : inTime());
    if (answer) return answer;
    if (usable) return this.keepUsing(name, usable);
    if (running) throw comeBack('its name is not resolved yet', SLOW_NAME_DELAY_MS);
    throw comeBack('too many other names are being resolved', FULL_DELAY_MS);
  }

  private start(name: string, { kind, owner }: Pick<BoundedLookup, 'kind'> & { owner?: string | undefined }) {
    const domain = hostOf(new URL(`http://${name}/`));
    const isUnanswered = (this.unanswered.get(domain)?.until ?? 0) > performance.now();
    if (isUnanswered && kind !== 'trusted') return Promise.resolve(failed(noAnswer()));
    const lookup = { kind, domain, owner };
    if (!this.bounds.enter(lookup)) return undefined;
    const running = this.resolve(name, domain).finally(() => {
      this.bounds.leave(lookup);
      this.running.delete(name);
    });
    this.running.set(name, running);
    return running;
  }

  private async resolve(name: string, domain: string): Promise<KnownName> {
    const startedAt = performance.now();
    const answer = await this.queries.resolve(name);
    const isAnswered = 'addresses' in answer || isNotFound(answer.error);
    this.times.add({ ms: performance.now() - startedAt, isAnswered });
    const count = isAnswered ? 0 : (this.unanswered.get(domain)?.count ?? 0) + 1;
    if (count) {
      const until = count < MAX_UNANSWERED ? 0 : performance.now() + FAILED_MS;
      putLast(this.unanswered, { key: domain, value: { count, until }, max: MAX_DOMAINS });
    } else this.unanswered.delete(domain);
    if ('addresses' in answer) putLast(this.canaries, { key: domain, value: name, max: MAX_CANARIES });
    return this.remember(name, answer);
  }

  private remember(name: string, answer: NameAnswer): KnownName {
    const before = this.known.get(name);
    const isStillUsable = before && before.usableUntil > performance.now();
    if ('error' in answer && !isNotFound(answer.error) && isStillUsable) return this.keepUsing(name, before);
    const known = 'error' in answer ? failed(answer.error) : resolved(answer);
    putLast(this.known, { key: name, value: known, max: MAX_NAMES });
    return known;
  }

  private keepUsing(name: string, known: KnownName): KnownName {
    const kept = { ...known, freshUntil: performance.now() + FAILED_MS };
    putLast(this.known, { key: name, value: kept, max: MAX_NAMES });
    return kept;
  }
}

function kindOf(known: KnownName | undefined, background: BackgroundWork | undefined): BoundedLookup['kind'] {
  if (!background || known?.addresses.length) return 'trusted';
  if (known) return 'suspect';
  return background.owner === undefined ? 'new' : 'bulk';
}

function resolved({ addresses, goodForMs }: { addresses: LookupAddress[]; goodForMs: number }): KnownName {
  const now = performance.now();
  return { addresses, error: undefined, freshUntil: now + goodForMs, usableUntil: now + STALE_MS };
}

function failed(error: Error): KnownName {
  return { addresses: [], error, freshUntil: performance.now() + FAILED_MS, usableUntil: 0 };
}

function putLast<Value>(map: Map<string, Value>, { key, value, max }: { key: string; value: Value; max: number }) {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= max) return;
    map.delete(oldest);
  }
}

function comeBack(reason: string, { min, max }: { min: number; max: number }): RequestFault {
  const until = new Date(databaseTime.nowMs() + min + Math.random() * (max - min));
  return new RequestFault('HOST_BUSY', `is asked at ${until.toISOString()}: ${reason}`, { until });
}

interface BoundedLookup {
  kind: keyof typeof MAX_LOOKUPS;
  domain: string;
  owner: string | undefined;
}

function boundsOf({ kind, domain, owner }: BoundedLookup): { key: string; max: number }[] {
  const ofKind = { key: `kind ${kind}`, max: MAX_LOOKUPS[kind] };
  if (kind === 'trusted') return [ofKind];
  const ofDomain = { key: `domain ${domain}`, max: MAX_DOMAIN_LOOKUPS };
  if (owner === undefined) return [ofKind, ofDomain];
  return [ofKind, ofDomain, { key: `owner ${owner}`, max: MAX_OWNER_LOOKUPS }];
}
