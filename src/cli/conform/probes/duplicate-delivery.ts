import { Breach } from '../breach.js';
import type { Answer } from '../kind.js';
import type { Probe } from '../probe.js';

/** So long the second answer is waited for when the worker has already gone on to another command. */
const SECOND_MS = 2_000;

export const duplicateDelivery: Probe = {
  name: 'duplicate-delivery',
  checks: 'the same command twice is answered alike, or once',
  needsGoodCommand: true,
  async run(target) {
    const command = target.command();
    const id = command.jobId;
    target.send(command);
    target.send(command);
    const first = target.read(await target.reply(id), id);
    const goesOn = await target.answers({ after: 1 });
    const reply = await target.options.line.take((candidate) => target.isFor(id, candidate), SECOND_MS);
    const second = reply && target.read(reply, id);
    for (const answer of [first, second]) mustBeSuccess(answer);
    if (!goesOn) throw new Breach('after a command that came twice, a good one was not answered');
    if (!second) return 'answered once';
    if (!areAlike(first, second)) throw new Breach('the two answers have nothing in common');
    return 'answered twice, alike';
  },
};

function mustBeSuccess(answer: Answer | undefined): void {
  if (answer?.status !== 'error') return;
  throw new Breach(`a command that came twice was answered with ${answer.error.code} (${answer.error.message})`);
}

/** Sites change all the time: something in common is enough. */
function areAlike(first: Answer, second: Answer): boolean {
  if (first.status === 'error' || second.status === 'error') return false;
  const { items } = second;
  return first.items.length === 0 ? items.length === 0 : first.items.some((item) => items.includes(item));
}
