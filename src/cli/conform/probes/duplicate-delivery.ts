import { Breach } from '../breach.js';
import type { Answer } from '../kind.js';
import type { Probe } from '../target.js';

/** How long to wait for the second answer once the worker has answered a later command. */
const SECOND_ANSWER_MS = 2_000;

export const duplicateDelivery: Probe = {
  name: 'duplicate-delivery',
  checks: 'a command that arrives twice is answered once, or twice with similar answers',
  needsGoodCommand: true,
  async run(target) {
    const command = target.command();
    const id = command.jobId;
    target.send(command);
    target.send(command);
    const first = target.read(await target.reply(id), id);
    const continues = await target.answers({ after: 1 });
    const reply = await target.options.client.take((candidate) => target.isFor(id, candidate), SECOND_ANSWER_MS);
    const second = reply && target.read(reply, id);
    for (const answer of [first, second]) expectSuccess(answer);
    if (!continues) throw new Breach('no answer to a good command after one that arrived twice');
    if (!second) return 'answered once';
    if (!areSimilar(first, second)) throw new Breach('the two answers have nothing in common');
    return 'answered twice, with similar answers';
  },
};

function expectSuccess(answer: Answer | undefined): void {
  if (answer?.status !== 'error') return;
  throw new Breach(`a command that arrived twice was answered with ${answer.error.code} (${answer.error.message})`);
}

/** Sites change all the time, so one common item is enough. */
function areSimilar(first: Answer, second: Answer): boolean {
  if (first.status === 'error' || second.status === 'error') return false;
  const { items } = second;
  return first.items.length === 0 ? items.length === 0 : first.items.some((item) => items.includes(item));
}
