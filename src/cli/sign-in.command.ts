import { apiAction } from './api/api-action.js';
import type { Command } from './command.js';
import { fromNow } from './show/times.js';

const SUMMARY = 'Prints a link that signs you in to the web page once';

export const signIn: Command = {
  name: 'sign-in',
  summary: SUMMARY,
  actions: [
    apiAction({
      summary: SUMMARY,
      options: {},
      notes:
        'The first person who opens the link is signed in as the owner of the key. The link expires after 15 minutes.',
      async run({ api, terminal, answer }) {
        const link = await api.post('/session/links');
        terminal.err(`This link works once and expires ${fromNow(link.expiresAt)}:\n`);
        return answer(link, () => `${link.url}\n`);
      },
    }),
  ],
};
