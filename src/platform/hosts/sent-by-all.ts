import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Database } from '../database/database.js';
import { defineEvent, Events } from '../events/events.js';
import { LOG, type Log } from '../log/log.js';
import { databaseTime } from '../time/database-time.js';
import { SLOT_MS, SlidingCounter } from './sliding-counter.js';

/** The earliest and the latest possible start of a host's minute, in milliseconds since 1970. */
const MinuteStart = z.object({ earliest: z.number(), latest: z.number() });
export type MinuteStart = z.infer<typeof MinuteStart>;

/** Requests to a host since the earliest start of its minute, since the latest one, and within the last minute. */
const SentCounts = z.object({ since: z.number(), surely: z.number(), lastMinute: z.number() });
export type SentCounts = z.infer<typeof SentCounts>;

const countsRequested = defineEvent(
  'hosts.sent-asked',
  z.object({ question: z.string(), by: z.string(), host: z.string(), start: MinuteStart }),
);
const countsReported = defineEvent('hosts.sent-told', z.object({ question: z.string(), counts: SentCounts }));

/** Counts requests to hosts and collects the counts of the other processes when a total is needed. */
@Injectable()
export class SentByAll {
  /** How long to wait for the other processes, in milliseconds. Those that have sent nothing do not answer. */
  answersMs = 250;
  private readonly me = randomUUID();
  private readonly ours = new SlidingCounter();
  private readonly answers = new Map<string, SentCounts[]>();

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    @Inject(LOG) private readonly log: Log,
  ) {
    events.subscribe(countsReported, ({ question, counts }) => this.answers.get(question)?.push(counts));
    events.subscribe(countsRequested, ({ question, by, host, start }) => {
      if (by !== this.me) void this.answer(question, this.count(host, start));
    });
  }

  note(host: string, sentAt: Date): void {
    this.ours.note(host, sentAt.getTime());
  }

  async since(host: string, start: MinuteStart): Promise<SentCounts> {
    const ours = this.count(host, start);
    if (!this.events.listening) return ours;
    const question = randomUUID();
    const answers: SentCounts[] = [ours];
    this.answers.set(question, answers);
    try {
      await this.events.publish(this.database.db, countsRequested, { question, by: this.me, host, start });
      await sleep(this.answersMs);
    } finally {
      this.answers.delete(question);
    }
    const sum = (key: keyof SentCounts) => answers.reduce((total, counts) => total + counts[key], 0);
    return { since: sum('since'), surely: sum('surely'), lastMinute: sum('lastMinute') };
  }

  private count(host: string, { earliest, latest }: MinuteStart): SentCounts {
    const now = databaseTime.nowMs();
    const since = (ms: number) => this.ours.since(host, ms, now);
    return { since: since(earliest), surely: since(latest + SLOT_MS), lastMinute: since(0) };
  }

  private async answer(question: string, counts: SentCounts): Promise<void> {
    if (!counts.lastMinute) return;
    try {
      await this.events.publish(this.database.db, countsReported, { question, counts });
    } catch (error) {
      this.log.warn(
        { event: 'sent_counts_not_reported', err: error },
        'Request counts of a host could not be reported to another process',
      );
    }
  }
}
