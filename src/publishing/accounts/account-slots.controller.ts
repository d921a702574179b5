import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { CurrentUser, type User } from '../../auth/users/user.js';
import { listQuery, page, pageOf } from '../../platform/api/list-query.js';
import { Id } from '../../platform/database/columns.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import { AccountsStore } from './accounts.store.js';
import { FreeSlots, type Slot } from './free-slots.js';

const List = listQuery(z.tuple([z.iso.datetime()]), {
  /** Lists slots after this time. The default is now. */
  from: z.iso.datetime({ offset: true }).optional(),
});
type List = z.infer<typeof List>;

const SlotView = z.strictObject({
  at: z.iso.datetime(),
  localTime: z.string(),
  timezone: z.string(),
  free: z.boolean(),
  publicationId: Id.nullable(),
});

@ApiTags('Accounts')
@Controller('accounts/:id/slots')
export class AccountSlotsController {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly slots: FreeSlots,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiResponse({ status: 200, standardSchema: pageOf(SlotView) })
  async list(
    @CurrentUser() user: User,
    @Param('id', { schema: Id }) id: string,
    @Query({ schema: List }) { limit, cursor, from }: List,
  ) {
    const account = await this.accounts.find(user.id, id);
    if (!account) throw new ApiError('not_found', `You have no account ${id}.`);
    const after = cursor?.[0] ?? from;
    const range = { after: after === undefined ? this.clock.now() : new Date(after), limit: limit + 1 };
    return page((await this.slots.list(account, range)).map(toView), limit, ({ at }) => [at]);
  }
}

const toView = ({ slotAt, localTime, timezone, publicationId }: Slot): z.infer<typeof SlotView> => ({
  at: slotAt.toISOString(),
  localTime: localTime ?? '',
  timezone: timezone ?? '',
  free: publicationId === null,
  publicationId,
});
