import { apiAction } from './api/api-action.js';
import type { Answer } from './api/api-client.js';
import type { Command } from './command.js';
import { type Column, facts, table } from './show/table.js';
import { printable } from './show/text.js';
import { fromNow } from './show/times.js';

type AppPassword = Answer<'get', '/app-passwords'>['items'][number];

const COLUMNS: Column<AppPassword>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'NAME', show: ({ name }) => name, truncates: true },
  { title: 'USER NAME', show: ({ userName }) => userName },
  { title: 'CREATED', show: ({ createdAt }) => fromNow(createdAt), optional: true },
  { title: 'LAST USED', show: ({ lastUsedAt }) => lastUsedAt && fromNow(lastUsedAt) },
];

const list = apiAction({
  word: 'list',
  summary: 'Lists your app passwords',
  options: {},
  async run({ api, answer, terminal }) {
    const passwords = await api.get('/app-passwords');
    return answer(passwords, () =>
      passwords.items.length ? table(COLUMNS, passwords.items, terminal) : 'You have no app passwords.\n',
    );
  },
});

const create = apiAction({
  word: 'create',
  summary: 'Creates an app password, which is shown once',
  args: { name: 'name', min: 1, max: 1, example: 'Phone' },
  options: {},
  async run({ api, args: [name = ''], answer }) {
    const made = await api.post('/app-passwords', { body: { name } });
    return answer(made, () =>
      facts([
        ['User name', made.userName],
        ['Password', made.password],
      ]),
    );
  },
});

const revoke = apiAction({
  word: 'revoke',
  summary: 'Revokes an app password, which stops working at once',
  args: { name: 'id', min: 1, max: 1, example: '7' },
  options: {},
  async run({ api, args: [id = ''], answer }) {
    await api.delete('/app-passwords/{id}', { path: { id } });
    return answer({}, () => `Revoked app password ${printable(id)}.\n`);
  },
});

const rename = apiAction({
  word: 'user-name',
  summary: 'Sets your user name for app passwords that are made from now on',
  args: { name: 'user-name', min: 1, max: 1, example: 'ann' },
  options: {},
  async run({ api, args: [userName = ''], answer }) {
    const user = await api.patch('/users/me', { body: { userName } });
    return answer(user, () => `Your user name is ${printable(userName)}.\n`);
  },
});

export const appPasswords: Command = {
  name: 'app-passwords',
  summary: 'Passwords for reading apps',
  actions: [list, create, revoke, rename],
};
