import { Breach, NotProbed } from '../breach.js';
import { expectError } from '../expect-error.js';
import type { Probe } from '../probe.js';

export const unknownAccount: Probe = {
  name: 'unknown-account',
  checks: 'an account that does not exist is answered with NOT_FOUND',
  async run(target) {
    const { kind, unknownAccount: externalId } = target.options;
    if (!kind.hasAccounts) throw new NotProbed('scrape commands name no account');
    const { answer } = await target.ask({ externalId });
    if (answer.status === 'success')
      throw new Breach(`${externalId} was answered with success, ${answer.items.length} posts`);
    return expectError(answer, 'NOT_FOUND');
  },
};
