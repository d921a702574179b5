import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Database } from '../database/database.js';
import { defineEvent } from '../events/event-definition.js';
import { Events } from '../events/events.js';
import type { Log } from '../log/log.js';
import { LOG } from '../log/log.token.js';
import { SentLately } from './sent-lately.js';

/** Who has sent how much to a host: within the last minute, and since a moment in it (milliseconds since 1970). */
const sentAsked = defineEvent(
  'hosts.sent-asked',
  z.object({ question: z.string(), by: z.string(), host: z.string(), since: z.number() }),
);
const sentTold = defineEvent(
  'hosts.sent-told',
  z.object({ question: z.string(), since: z.number(), lastMinute: z.number() }),
);

export type SentCounts = { since: number; lastMinute: number };

/** Who has not answered by then has nothing to say, or is not there. */
const ANSWERS_MS = 250;

/** Counts what was sent to hosts, and asks the other processes for their counts when one is needed. */
@Injectable()
export class SentByAll {
  private readonly me = randomUUID();
  private readonly ours = new SentLately();
  private readonly answers = new Map<string, SentCounts[]>();

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    @Inject(LOG) private readonly log: Log,
  ) {
    events.subscribe(sentTold, ({ question, ...counts }) => this.answers.get(question)?.push(counts));
    events.subscribe(sentAsked, ({ question, by, host, since }) => {
      if (by !== this.me) void this.answer(question, this.count(host, since));
    });
  }

  note(host: string, sentAt: Date): void {
    this.ours.note(host, sentAt.getTime());
  }

  async since(host: string, since: number): Promise<SentCounts> {
    const ours = this.count(host, since);
    if (!this.events.listening) return ours;
    const question = randomUUID();
    const answers: SentCounts[] = [ours];
    this.answers.set(question, answers);
    try {
      await this.events.publish(this.database.db, sentAsked, { question, by: this.me, host, since });
      await sleep(ANSWERS_MS);
    } finally {
      this.answers.delete(question);
    }
    const sum = (key: keyof SentCounts) => answers.reduce((total, counts) => total + counts[key], 0);
    return { since: sum('since'), lastMinute: sum('lastMinute') };
  }

  private count(host: string, since: number): SentCounts {
    const now = Date.now();
    return { since: this.ours.since(host, since, now), lastMinute: this.ours.since(host, 0, now) };
  }

  private async answer(question: string, counts: SentCounts): Promise<void> {
    if (!counts.lastMinute) return;
    try {
      await this.events.publish(this.database.db, sentTold, { question, ...counts });
    } catch (error) {
      this.log.warn({ err: error }, 'what was sent to a host could not be told');
    }
  }
}
