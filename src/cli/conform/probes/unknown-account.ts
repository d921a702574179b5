import { expectError } from '../answer.js';
import { Breach, NotProbed } from '../breach.js';
import type { Probe } from '../target.js';

export const unknownAccount: Probe = {
  name: 'unknown-account',
  checks: 'an account that does not exist is answered with NOT_FOUND',
  async run(target) {
    const { kind, unknownAccount: externalId } = target.options;
    if (!kind.hasAccounts) throw new NotProbed('scrape commands have no account');
    const { answer } = await target.ask({ externalId });
    if (answer.status === 'success')
      throw new Breach(`${externalId} was answered with success and ${answer.items.length} posts`);
    return expectError(answer, 'NOT_FOUND');
  },
};
