import { Injectable } from '@nestjs/common';
import type { Db } from '../../platform/database/database.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import { type PublicationTime, slotTime } from '../publications/publication-time.js';
import { PublicationsStore } from '../publications/publications.store.js';
import type { Account } from './accounts.table.js';
import { nextSlots } from './next-slots.js';

@Injectable()
export class FreeSlots {
  constructor(
    private readonly store: PublicationsStore,
    private readonly clock: Clock,
  ) {}

  /** Another request may take a slot meanwhile; the unique index of publications decides. */
  async of({ id, slots }: Account, after: Date, db?: Db): Promise<Iterable<PublicationTime>> {
    if (!slots) return [];
    const taken = await this.store.takenSlots(id, after, db);
    return free(slots.timezone, nextSlots(slots, after), taken);
  }

  async list({ id, slots }: Account, { after, limit }: { after: Date; limit: number }): Promise<Slot[]> {
    if (!slots) return [];
    const now = this.clock.now();
    const from = after < now ? now : after;
    const taken = await this.store.takenSlots(id, from);
    const listed: Slot[] = [];
    for (const at of nextSlots(slots, from)) {
      if (listed.length >= limit) break;
      listed.push({ ...slotTime(at, slots.timezone), slotAt: at, publicationId: taken.get(at.getTime()) ?? null });
    }
    return listed;
  }

  none({ id, name, slots }: Account): ApiError {
    const why = slots ? 'has no free slot within a year' : 'has no slots';
    return new ApiError('no_free_slot', `The account ${id}, ${name}, ${why}.`);
  }
}

export interface Slot extends PublicationTime {
  slotAt: Date;
  publicationId: string | null;
}

function* free(timezone: string, slots: Iterable<Date>, taken: Map<number, string>): Generator<PublicationTime> {
  for (const at of slots) if (!taken.has(at.getTime())) yield slotTime(at, timezone);
}
