import { Breach, NotProbed } from '../breach.js';
import { DEFAULT_LIMIT, type Probe } from '../target.js';

export const goodCommand: Probe = {
  name: 'good-command',
  checks: 'a good command is answered with success, as the contract demands, with its ids',
  async run(target) {
    const { account, accountGiven, kind } = target.options;
    const { answer, ms } = await target.ask();
    if (answer.status === 'error') {
      const { code, message } = answer.error;
      if (code === 'NOT_FOUND' && kind.hasAccounts && !accountGiven)
        throw new NotProbed(`account ${account} does not exist; name another with --account`);
      throw new Breach(`answered with ${code} (${message}) instead of success`);
    }
    const found = `${answer.items.length} ${kind.items} in ${ms} ms`;
    // This is only a hint, because sites have pages of their own size.
    return answer.items.length > DEFAULT_LIMIT ? `${found}, although the limit was ${DEFAULT_LIMIT}` : found;
  },
};
