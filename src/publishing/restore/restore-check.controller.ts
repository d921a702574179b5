import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { asc, count, eq } from 'drizzle-orm';
import { z } from 'zod';
import { AdminOnly } from '../../auth/keys/needs.js';
import { Id } from '../../platform/database/columns.js';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../platform/time/clock.js';
import { accounts } from '../accounts/accounts.table.js';
import { PublicationStatus } from '../publications/publication-status.js';
import { publications } from '../publications/publications.table.js';
import { PublishingHold } from './publishing-hold.js';
import { type PublishingHoldRow, RESTORE_OUTCOMES, restoreCheckResults } from './publishing-holds.table.js';
import { RestoreCheck } from './restore-check.js';

const MAX_LISTED = 1_000;

const Instant = z.iso.datetime({ offset: true });
const Hold = z.strictObject({ backupAt: Instant });
type Hold = z.infer<typeof Hold>;
const Step = z.strictObject({
  retry: z.boolean().default(false),
  /** Marks publications whose platform cannot be read as `unknown`, so that publishing can resume. */
  finish: z.boolean().default(false),
});
type Step = z.infer<typeof Step>;

const Counts = z.strictObject({ published: z.int(), to_send: z.int(), unknown: z.int(), unread: z.int() });
const Result = z.strictObject({
  publicationId: Id,
  platform: z.string(),
  account: z.string(),
  scheduledAt: z.iso.datetime(),
  text: z.string(),
  status: PublicationStatus,
  outcome: z.enum(RESTORE_OUTCOMES),
  reason: z.string(),
});
const RestoreCheckView = z.strictObject({
  state: z.enum(['none', 'held', 'released']),
  reason: z.string().nullable(),
  backupAt: z.iso.datetime().nullable(),
  heldAt: z.iso.datetime().nullable(),
  releasedAt: z.iso.datetime().nullable(),
  remaining: z.int(),
  counts: Counts,
  results: z.array(Result),
});
type RestoreCheckView = z.infer<typeof RestoreCheckView>;

@ApiTags('Operations')
@AdminOnly()
@Controller('restore-check')
export class RestoreCheckController {
  constructor(
    private readonly database: Database,
    private readonly hold: PublishingHold,
    private readonly restoreCheck: RestoreCheck,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiResponse({ status: 200, standardSchema: RestoreCheckView })
  async read(): Promise<RestoreCheckView> {
    const hold = await this.hold.latest();
    return hold ? this.view(hold) : NEVER_HELD;
  }

  /** Each call works for some seconds. Clients call again while publications remain. */
  @Post()
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: RestoreCheckView })
  async step(@Body({ schema: Step }) step: Step): Promise<RestoreCheckView> {
    await this.restoreCheck.step(step);
    return this.read();
  }

  @Post('hold')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: RestoreCheckView })
  async keepBack(@Body({ schema: Hold }) { backupAt }: Hold): Promise<RestoreCheckView> {
    const reason = 'An administrator has held publishing';
    await this.hold.hold({ reason, backupAt: new Date(backupAt), now: this.clock.now() });
    return this.read();
  }

  private async view(hold: PublishingHoldRow): Promise<RestoreCheckView> {
    const { reason, backupAt, heldAt, releasedAt } = hold;
    const [remaining, counts, results] = await Promise.all([
      releasedAt ? 0 : this.restoreCheck.remaining(hold),
      this.counts(hold),
      this.results(hold),
    ]);
    return {
      state: releasedAt ? 'released' : 'held',
      reason,
      remaining,
      counts,
      results,
      backupAt: backupAt.toISOString(),
      heldAt: heldAt.toISOString(),
      releasedAt: releasedAt?.toISOString() ?? null,
    };
  }

  private async counts({ id }: PublishingHoldRow): Promise<RestoreCheckView['counts']> {
    const { holdId, outcome } = restoreCheckResults;
    const found = this.database.db.select({ outcome, count: count() }).from(restoreCheckResults);
    const rows = await found.where(eq(holdId, id)).groupBy(outcome);
    return { ...NEVER_HELD.counts, ...Object.fromEntries(rows.map((row) => [row.outcome, row.count])) };
  }

  private async results({ id }: PublishingHoldRow): Promise<RestoreCheckView['results']> {
    const { holdId, publicationId, outcome, reason } = restoreCheckResults;
    const { platform, scheduledAt, status, content } = publications;
    const rows = await this.database.db
      .select({ publicationId, platform, account: accounts.name, scheduledAt, content, status, outcome, reason })
      .from(restoreCheckResults)
      .innerJoin(publications, eq(publications.id, publicationId))
      .innerJoin(accounts, eq(accounts.id, publications.accountId))
      .where(eq(holdId, id))
      .orderBy(asc(scheduledAt), asc(publicationId))
      .limit(MAX_LISTED);
    return rows.map(({ content, ...row }) => {
      return { ...row, scheduledAt: row.scheduledAt.toISOString(), text: content.text };
    });
  }
}

const NEVER_HELD: RestoreCheckView = {
  state: 'none',
  reason: null,
  backupAt: null,
  heldAt: null,
  releasedAt: null,
  remaining: 0,
  results: [],
  counts: { published: 0, to_send: 0, unknown: 0, unread: 0 },
};
