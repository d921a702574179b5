import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ChangesNeed } from '../../auth/keys/needs.js';
import { CurrentUser, type User } from '../../auth/users/user.js';
import { listQuery, page, pageOf } from '../../platform/api/list-query.js';
import { Id } from '../../platform/database/columns.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import { AccountRemoval } from './account-removal.js';
import { Accounts } from './accounts.js';
import { AccountsStore } from './accounts.store.js';
import { ACCOUNT_STATUSES, type Account } from './accounts.table.js';
import { AccountChange, NewAccount } from './new-account.js';
import { Secrets } from './secrets.js';
import { SlotRulesView, toSlotRulesView } from './slot-rules.js';

const time = z.iso.datetime().nullable();

export const AccountView = z.strictObject({
  id: Id,
  platform: z.string(),
  name: z.string(),
  /** `broken`: the platform refuses its credentials, or they cannot be decrypted. */
  status: z.enum(ACCOUNT_STATUSES),
  lastError: z.string().nullable(),
  /** The identity that the platform reports. Null if the platform was never asked. */
  platformId: z.string().nullable(),
  platformName: z.string().nullable(),
  checkedAt: time,
  closedUntil: time,
  closedBecause: z.string().nullable(),
  slots: SlotRulesView.nullable(),
  createdAt: z.iso.datetime(),
});

const KEY_IS_MISSING = 'its credentials were encrypted with a key that is not among MILLRACE_SECRET_KEYS';

const List = listQuery(z.tuple([Id]), {});
type List = z.infer<typeof List>;

@ApiTags('Accounts')
@ChangesNeed('publish')
@Controller('accounts')
export class AccountsController {
  constructor(
    private readonly accounts: Accounts,
    private readonly removal: AccountRemoval,
    private readonly store: AccountsStore,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiResponse({ status: 201, standardSchema: AccountView })
  async create(@CurrentUser() user: User, @Body({ schema: NewAccount }) given: NewAccount) {
    return this.shown(await this.accounts.create(user.id, given));
  }

  @Get()
  @ApiResponse({ status: 200, standardSchema: pageOf(AccountView) })
  async list(@CurrentUser() user: User, @Query({ schema: List }) { limit, cursor }: List) {
    const rows = await this.store.list(user.id, { before: cursor?.[0], limit: limit + 1 });
    const { items, nextCursor } = page(rows, limit, ({ id }) => [id]);
    return { items: items.map((account) => this.shown(account)), nextCursor };
  }

  @Get(':id')
  @ApiResponse({ status: 200, standardSchema: AccountView })
  async read(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    return this.shown(await this.existing(user, id));
  }

  @Patch(':id')
  @ApiResponse({ status: 200, standardSchema: AccountView })
  async change(
    @CurrentUser() user: User,
    @Param('id', { schema: Id }) id: string,
    @Body({ schema: AccountChange }) change: AccountChange,
  ) {
    await this.accounts.change(await this.existing(user, id), change);
    return this.shown(await this.existing(user, id));
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string): Promise<void> {
    await this.removal.remove(await this.existing(user, id));
  }

  @Post(':id/check')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: AccountView })
  async check(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    await this.accounts.check(await this.existing(user, id));
    return this.shown(await this.existing(user, id));
  }

  private async existing(user: User, id: string): Promise<Account> {
    const found = await this.store.find(user.id, id);
    if (!found) throw new ApiError('not_found', `You have no account ${id}.`);
    return found;
  }

  private shown(account: Account): AccountView {
    return toAccountView(account, { isReadable: this.secrets.knows(account.credentials), now: this.clock.now() });
  }
}

export type AccountView = z.infer<typeof AccountView>;

function toAccountView(account: Account, { isReadable, now }: { isReadable: boolean; now: Date }): AccountView {
  const { id, platform, name, platformId, platformName, checkedAt, slots, createdAt } = account;
  const isClosed = account.closedUntil !== null && account.closedUntil > now;
  return {
    id,
    platform,
    name,
    status: isReadable ? account.status : 'broken',
    lastError: isReadable ? account.lastError : KEY_IS_MISSING,
    platformId,
    platformName,
    checkedAt: checkedAt?.toISOString() ?? null,
    closedUntil: (isClosed && account.closedUntil?.toISOString()) || null,
    closedBecause: isClosed ? account.closedBecause : null,
    slots: slots && toSlotRulesView(slots),
    createdAt: createdAt.toISOString(),
  };
}
