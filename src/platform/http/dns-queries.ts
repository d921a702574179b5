import { promises as dns, type LookupAddress } from 'node:dns';
import { withTimeout } from '../time/with-timeout.js';
import type { LocalNames } from './local-names.js';

/** c-ares doubles the timeout with each try: 1 s, then 2 s. */
const QUERY = { timeout: 1_000, tries: 2 };
/** A lookup ends within this time in milliseconds, however many servers and search domains there are to try. */
const TIMEOUT_MS = 3_000;
/** An IPv6 answer is not awaited for longer than this after the IPv4 answer, in milliseconds. */
const SECOND_FAMILY_MS = 300;
const MAX_GOOD_MS = 60_000;
const MIN_GOOD_MS = 5_000;

export type NameAnswer = { addresses: LookupAddress[]; goodForMs: number } | { error: Error };

/** `getaddrinfo` uses one of four threads, so four names of a dead name server would stop all requests. */
export class DnsQueries {
  private readonly resolver = new dns.Resolver(QUERY);

  constructor(
    servers: string[],
    private readonly local: LocalNames,
  ) {
    if (servers.length) this.resolver.setServers(servers);
  }

  /** Returns all addresses of a name, IPv4 first. The promise never rejects. */
  resolve(name: string): Promise<NameAnswer> {
    return withTimeout(this.tryCandidates(name), TIMEOUT_MS, () => ({ error: noAnswer() }));
  }

  /** Returns whether a name server answers for the root zone, which exists everywhere. A refusal is an answer, too. */
  async answersForRoot(): Promise<boolean> {
    const root = this.resolver.resolveSoa('.').then(
      () => true,
      (error: Error) => codeOf(error) === 'EREFUSED' || MISSING.has(codeOf(error)),
    );
    return withTimeout(root, TIMEOUT_MS, () => false);
  }

  private async tryCandidates(name: string): Promise<NameAnswer> {
    let error: Error = notFound();
    for (const candidate of await this.local.candidatesFor(name)) {
      const answer = await this.query(candidate);
      if ('addresses' in answer) return answer;
      error = answer.error;
      if (!isNotFound(error)) break;
    }
    return { error };
  }

  private async query(name: string): Promise<NameAnswer> {
    const v4 = this.resolver.resolve4(name, { ttl: true }).catch(errorOf);
    const v6 = this.resolver.resolve6(name, { ttl: true }).catch(errorOf);
    const first = await v4;
    const second = await (first instanceof Error ? v6 : withTimeout(v6, SECOND_FAMILY_MS, notFound));
    const records = [
      ...(first instanceof Error ? [] : first.map((record) => ({ ...record, family: 4 }))),
      ...(second instanceof Error ? [] : second.map((record) => ({ ...record, family: 6 }))),
    ];
    if (records.length) {
      const ttlMs = Math.min(...records.map(({ ttl }) => ttl)) * 1_000;
      const goodForMs = Math.min(Math.max(ttlMs, MIN_GOOD_MS), MAX_GOOD_MS);
      return { addresses: records.map(({ address, family }) => ({ address, family })), goodForMs };
    }
    const isMissing = [first, second].every((answer) => answer instanceof Error && MISSING.has(codeOf(answer)));
    return { error: isMissing ? notFound() : noAnswer() };
  }
}

const MISSING = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

const errorOf = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
const codeOf = (error: Error) => ('code' in error ? String(error.code) : '');
const notFound = () => Object.assign(new Error('its name does not resolve'), { code: 'ENOTFOUND' });

/** The codes are those of the resolver of the system. */
export const noAnswer = () => Object.assign(new Error('no name server answered for its name'), { code: 'EAI_AGAIN' });

export const isNotFound = (error: Error) => codeOf(error) === 'ENOTFOUND';
