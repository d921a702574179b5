/**
 * Lookups that may run at once. `trusted` names resolved before, or a person waits for them. `new` names are looked up for the
 * first time; `bulk` names are, too, on behalf of one owner, such as the list of an import. `suspect` names failed the last time.
 * Each kind has its own bound: names that never resolve cannot keep the others waiting, however many there are.
 */
const MAX_LOOKUPS = { trusted: 512, new: 256, bulk: 128, suspect: 64 };
/** Lookups of new and suspect names that may run at once for one owner. */
const MAX_OWNER_LOOKUPS = 64;
/** Lookups of new and suspect names that may run at once below one registrable domain. */
const MAX_DOMAIN_LOOKUPS = 4;

export interface BoundedLookup {
  kind: keyof typeof MAX_LOOKUPS;
  domain: string;
  owner: string | undefined;
}

/** Counts lookups that are under way. Nothing waits here: a lookup beyond a bound is refused. */
export class LookupBounds {
  private readonly counts = new Map<string, number>();

  /** False if a bound is reached; otherwise call `leave` when the lookup has ended. */
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

function boundsOf({ kind, domain, owner }: BoundedLookup): { key: string; max: number }[] {
  const ofKind = { key: `kind ${kind}`, max: MAX_LOOKUPS[kind] };
  if (kind === 'trusted') return [ofKind];
  const ofDomain = { key: `domain ${domain}`, max: MAX_DOMAIN_LOOKUPS };
  if (owner === undefined) return [ofKind, ofDomain];
  return [ofKind, ofDomain, { key: `owner ${owner}`, max: MAX_OWNER_LOOKUPS }];
}
