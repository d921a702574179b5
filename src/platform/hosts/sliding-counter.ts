export const SLOT_MS = 250;
const MINUTE_MS = 60_000;
const SLOTS = MINUTE_MS / SLOT_MS + 1;

interface Slot {
  at: number;
  counts: Map<string, number>;
}

export class SlidingCounter {
  private readonly ring: Slot[] = Array.from({ length: SLOTS }, () => ({ at: -1, counts: new Map() }));

  note(host: string, sentAtMs: number): void {
    const at = Math.floor(sentAtMs / SLOT_MS);
    const slot = this.ring[at % SLOTS];
    if (!slot || slot.at > at) return; // the response took more than a minute
    if (slot.at < at) Object.assign(slot, { at, counts: new Map() });
    slot.counts.set(host, (slot.counts.get(host) ?? 0) + 1);
  }

  since(host: string, sinceMs: number, nowMs: number): number {
    const from = Math.floor(Math.max(sinceMs, nowMs - MINUTE_MS) / SLOT_MS);
    return this.ring.reduce((sum, { at, counts }) => (at < from ? sum : sum + (counts.get(host) ?? 0)), 0);
  }
}
