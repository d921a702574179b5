import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import { z } from 'zod';
import { listQuery, pageOf } from '../../platform/api/list-query.js';
import { Id, Text } from '../../platform/database/columns.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { ExternalId } from '../authenticator.js';
import { AdminOnly } from '../keys/needs.js';
import { CurrentUser, type User } from './user.js';
import { UserName } from './user-name.js';
import { UsersStore } from './users.store.js';

const NewUser = z.strictObject({
  externalId: ExternalId.optional(),
  name: Text.trim().min(1).max(200).optional(),
  userName: UserName.optional(),
});
type NewUser = z.infer<typeof NewUser>;
const OwnChange = z.strictObject({ userName: UserName });
type OwnChange = z.infer<typeof OwnChange>;
const UserList = listQuery(z.tuple([Id]), {});
type UserList = z.infer<typeof UserList>;

const UserView = z.strictObject({
  id: Id,
  externalId: z.string().nullable(),
  name: z.string().nullable(),
  /** What the user types into reading apps. Null until it is set or an app password is made. */
  userName: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().nullable(),
  active: z.boolean(),
});
const OwnView = UserView.extend({ scope: z.enum(['admin', 'user']) });

@Controller('users')
export class UsersController {
  constructor(private readonly users: UsersStore) {}

  @AdminOnly()
  @Post()
  @ApiCreatedResponse({ standardSchema: UserView })
  async create(@Body({ schema: NewUser }) user: NewUser) {
    const created = await this.users.create(user);
    if (!created) throw new ApiError('user_exists', `There is already a user "${user.externalId ?? user.userName}".`);
    return created;
  }

  @AdminOnly()
  @Get()
  @ApiOkResponse({ standardSchema: pageOf(UserView) })
  list(@Query({ schema: UserList }) query: UserList) {
    return this.users.list(query);
  }

  @Get('me')
  @ApiOkResponse({ standardSchema: OwnView })
  async me(@CurrentUser() { id, scope }: User) {
    return { ...(await this.users.find(id)), scope };
  }

  @Patch('me')
  @ApiOkResponse({ standardSchema: OwnView })
  async change(@CurrentUser() user: User, @Body({ schema: OwnChange }) { userName }: OwnChange) {
    await this.users.rename(user.id, userName);
    return this.me(user);
  }
}
