import { expectError, readAnswer } from '../answer.js';
import { Breach } from '../breach.js';
import type { Probe, Target } from '../target.js';

interface Malformed {
  what: string;
  spoil(command: object): object | Uint8Array;
  /** Whether a worker can read its jobId. */
  keepsJobId?: true;
}

export const malformedCommand: Probe = {
  name: 'malformed-command',
  checks: 'an invalid command is answered with INVALID_COMMAND, and the worker continues',
  async run(target) {
    const { requiredField } = target.options.kind;
    const kinds: Malformed[] = [
      { what: 'not JSON', spoil: () => Buffer.from('{"jobId": ') },
      {
        what: `no ${requiredField}`,
        spoil: (command) => ({ ...command, [requiredField]: undefined }),
        keepsJobId: true,
      },
      // Another version may mean something else by jobId.
      { what: 'schemaVersion 999', spoil: (command) => ({ ...command, schemaVersion: 999 }) },
    ];
    for (const malformed of kinds) await expectRefusal(target, malformed);
    if (!(await target.answers())) throw new Breach('no answer to a good command after the invalid ones');
    return `${kinds.map(({ what }) => what).join(', ')}: INVALID_COMMAND`;
  },
};

async function expectRefusal(target: Target, { what, spoil, keepsJobId }: Malformed): Promise<void> {
  const { client, kind, timeoutMs } = target.options;
  const command = target.command();
  const id = command.jobId;
  client.send({ id, body: spoil(command), expiresInMs: timeoutMs });
  const echoes = keepsJobId ? (['jobId'] as const) : [];
  try {
    const answer = readAnswer(await target.reply(id), { id, kind, echoes, onAdapted: target.onAdapted });
    expectError(answer, 'INVALID_COMMAND');
  } catch (error) {
    throw error instanceof Breach ? new Breach(`${what}: ${error.message}`) : error;
  }
}
