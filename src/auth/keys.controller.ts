import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { z } from 'zod';
import { listQuery, pageOf } from '../platform/api/list-query.js';
import { Clock } from '../platform/clock.js';
import { Id, Text } from '../platform/database/columns.js';
import { ApiError } from '../platform/errors/api-error.js';
import { CurrentUser } from './current-user.js';
import { KeysStore } from './keys.store.js';
import { requireAdmin } from './require-admin.js';
import type { User } from './user.js';
import { UsersStore } from './users.store.js';

const Scope = z.enum(['admin', 'user']);
const NewKey = z.strictObject({
  userId: Id.optional(),
  scope: Scope.default('user'),
  name: Text.trim().min(1).max(200).optional(),
});
type NewKey = z.infer<typeof NewKey>;
const KeyList = listQuery(z.tuple([Id]), { userId: Id.optional() });
type KeyList = z.infer<typeof KeyList>;

const KeyView = z.strictObject({
  id: Id,
  userId: Id,
  prefix: z.string(),
  scope: Scope,
  name: z.string().nullable(),
  createdAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().nullable(),
});
const KeyShownOnce = KeyView.extend({ key: z.string() });

/** Admins see and change all keys, users their own. */
@Controller('keys')
export class KeysController {
  constructor(
    private readonly keys: KeysStore,
    private readonly users: UsersStore,
    private readonly clock: Clock,
  ) {}

  @Post()
  @Header('Cache-Control', 'no-store')
  @ApiCreatedResponse({ description: 'The key is shown this once', standardSchema: KeyShownOnce })
  async create(@CurrentUser() user: User, @Body({ schema: NewKey }) { userId = user.id, scope, name }: NewKey) {
    if (userId !== user.id || scope === 'admin') requireAdmin(user);
    if (!(await this.users.find(userId))) throw new ApiError('not_found', `There is no user ${userId}.`);
    return this.keys.create({ userId, scope, name });
  }

  @Get()
  @ApiOkResponse({ standardSchema: pageOf(KeyView) })
  list(@CurrentUser() user: User, @Query({ schema: KeyList }) query: KeyList) {
    return this.keys.list(user.scope === 'admin' ? query : { ...query, userId: user.id });
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Revoked' })
  async revoke(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    await this.keys.revoke(id, { now: this.clock.now(), owner: user.scope === 'admin' ? undefined : user.id });
  }
}
