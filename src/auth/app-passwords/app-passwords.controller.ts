import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { z } from 'zod';
import { pageOf } from '../../platform/api/list-query.js';
import { Id, Text } from '../../platform/database/columns.js';
import { CurrentUser, type User } from '../users/user.js';
import { UserName } from '../users/user-name.js';
import { AppPasswordsStore } from './app-passwords.store.js';

const NewAppPassword = z.strictObject({ name: Text.trim().min(1).max(200) });
type NewAppPassword = z.infer<typeof NewAppPassword>;

const AppPasswordView = z.strictObject({
  id: Id,
  userId: Id,
  name: z.string(),
  /** The user name that belongs to this password, also after the user has chosen another one. */
  userName: UserName,
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
const AppPasswordShownOnce = AppPasswordView.extend({ password: z.string() });

/** Passwords with which reading apps read and mark a user's feeds, and do nothing else. */
@Controller('app-passwords')
export class AppPasswordsController {
  constructor(private readonly passwords: AppPasswordsStore) {}

  @Post()
  @Header('Cache-Control', 'no-store')
  @ApiCreatedResponse({ description: 'The password is shown this once', standardSchema: AppPasswordShownOnce })
  create(@CurrentUser() user: User, @Body({ schema: NewAppPassword }) { name }: NewAppPassword) {
    return this.passwords.create(user.id, name);
  }

  @Get()
  @ApiOkResponse({ standardSchema: pageOf(AppPasswordView) })
  async list(@CurrentUser() user: User) {
    return { items: await this.passwords.list(user.id), nextCursor: null };
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Revoked' })
  async revoke(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    await this.passwords.revoke(user.id, id);
  }
}
