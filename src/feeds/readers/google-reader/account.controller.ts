import { createHash } from 'node:crypto';
import { Get, Header } from '@nestjs/common';
import { CurrentUser, type User } from '../../../auth/users/user.js';
import { UsersStore } from '../../../auth/users/users.store.js';
import { GoogleReaderApi, JSON_TYPE, OK, TEXT } from './google-reader-api.js';

const TOKEN_LENGTH = 57;
/** What the first reader of this API answers, which some clients parse. */
const PREFERENCES = { prefs: [{ id: 'lhn-prefs', value: '{"subscriptions":{"ssa":"true"}}' }] };

/** What says something about the user, and answers that are always the same. */
@GoogleReaderApi()
export class AccountController {
  constructor(private readonly users: UsersStore) {}

  /** Changes are protected by the header that authenticates, so nothing depends on this token. */
  @Get('token')
  @Header('Content-Type', TEXT)
  token(@CurrentUser() { id }: User) {
    return createHash('sha256').update(`edit token ${id}`).digest('hex').slice(0, TOKEN_LENGTH);
  }

  @Get('user-info')
  @Header('Content-Type', JSON_TYPE)
  async userInfo(@CurrentUser() { id }: User) {
    const user = await this.users.find(id);
    const userName = user?.userName ?? user?.name ?? `user-${id}`;
    return { userId: id, userName, userProfileId: id, userEmail: userName.includes('@') ? userName : '' };
  }

  @Get('preference/list')
  preferences() {
    return PREFERENCES;
  }

  @Get('preference/stream/list')
  streamPreferences() {
    return { streamprefs: {} };
  }

  @Get('friend/list')
  friends() {
    return { friends: [] };
  }

  @Get('ping')
  @Header('Content-Type', TEXT)
  ping() {
    return OK;
  }

  @Get('check/compatibility')
  @Header('Content-Type', TEXT)
  compatibility() {
    return 'PASS';
  }
}
