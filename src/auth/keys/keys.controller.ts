import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { z } from 'zod';
import { listQuery, pageOf } from '../../platform/api/list-query.js';
import { Id, Text } from '../../platform/database/columns.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { CurrentUser, KEY_SCOPES, type KeyScope, USER_SCOPES, type User } from '../users/user.js';
import { UsersStore } from '../users/users.store.js';
import { KeysStore, scopesOf } from './keys.store.js';
import { requireAdmin, requireScope } from './needs.js';

const Scope = z.enum(['admin', 'user']);
const KeyScopes = z.array(z.enum(KEY_SCOPES));
const NewKey = z.strictObject({
  userId: Id.optional(),
  /** `admin` for a key that may do everything; `scopes` lists the permissions of any other key. */
  scope: Scope.default('user'),
  scopes: KeyScopes.min(1).optional(),
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
  scopes: KeyScopes,
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
  ) {}

  @Post()
  @Header('Cache-Control', 'no-store')
  @ApiCreatedResponse({ description: 'The key is shown this once', standardSchema: KeyShownOnce })
  async create(@CurrentUser() user: User, @Body({ schema: NewKey }) wanted: NewKey) {
    const { userId = user.id, scopes = [...USER_SCOPES], name } = wanted;
    const scope = scopes.includes('admin') ? 'admin' : wanted.scope;
    if (userId !== user.id || scope === 'admin' || scopes.includes('metrics')) requireAdmin(user);
    for (const needed of scopes) requireScope(user, needed);
    if (!(await this.users.find(userId))) throw new ApiError('not_found', `There is no user ${userId}.`);
    return view(await this.keys.create({ userId, scope, scopes, name }));
  }

  @Get()
  @ApiOkResponse({ standardSchema: pageOf(KeyView) })
  async list(@CurrentUser() user: User, @Query({ schema: KeyList }) query: KeyList) {
    const { items, ...rest } = await this.keys.list(user.scope === 'admin' ? query : { ...query, userId: user.id });
    return { items: items.map(view), ...rest };
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Revoked' })
  async revoke(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    await this.keys.revoke(id, user.scope === 'admin' ? undefined : user.id);
  }
}

/** An admin key may do everything, whatever its row contains. */
const view = <Key extends Pick<User, 'scope' | 'scopes'>>(key: Key) => ({
  ...key,
  scopes: [...scopesOf(key)] as KeyScope[],
});
