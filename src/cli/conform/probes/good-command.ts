import { Breach, NotProbed } from '../breach.js';
import type { Probe } from '../probe.js';
import { USUAL_LIMIT } from '../target.js';

export const goodCommand: Probe = {
  name: 'good-command',
  checks: 'a good command is answered with success, by the contract, with its ids',
  async run(target) {
    const { account, accountGiven, kind } = target.options;
    const { answer, ms } = await target.ask();
    if (answer.status === 'error') {
      const { code, message } = answer.error;
      if (code === 'NOT_FOUND' && kind.hasAccounts && !accountGiven)
        throw new NotProbed(`there is no account ${account}: name one that exists with --account`);
      throw new Breach(`answered with ${code} (${message}) instead of success`);
    }
    const found = `${answer.items.length} ${kind.items} in ${ms} ms`;
    // A hint only: sites have pages of their own size.
    return answer.items.length > USUAL_LIMIT ? `${found}, though the limit was ${USUAL_LIMIT}` : found;
  },
};
