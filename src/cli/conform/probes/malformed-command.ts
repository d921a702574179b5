import { Breach } from '../breach.js';
import { expectError } from '../expect-error.js';
import type { Probe } from '../probe.js';
import { readAnswer } from '../read-answer.js';
import type { Target } from '../target.js';

interface Malformed {
  what: string;
  spoil(command: object): object | Uint8Array;
  /** Whether a worker can read its jobId. */
  keepsJobId?: true;
}

export const malformedCommand: Probe = {
  name: 'malformed-command',
  checks: 'a command that cannot be understood is answered with INVALID_COMMAND, and the worker goes on',
  async run(target) {
    const { requiredField } = target.options.kind;
    const kinds: Malformed[] = [
      { what: 'not JSON', spoil: () => Buffer.from('{"jobId": ') },
      {
        what: `no ${requiredField}`,
        spoil: (command) => ({ ...command, [requiredField]: undefined }),
        keepsJobId: true,
      },
      // Who knows what another version means by jobId.
      { what: 'schemaVersion 999', spoil: (command) => ({ ...command, schemaVersion: 999 }) },
    ];
    for (const malformed of kinds) await refuses(target, malformed);
    if (!(await target.answers())) throw new Breach('all were refused, but then a good command was not answered');
    return `${kinds.map(({ what }) => what).join(', ')}: INVALID_COMMAND`;
  },
};

async function refuses(target: Target, { what, spoil, keepsJobId }: Malformed): Promise<void> {
  const { kind, line, timeoutMs } = target.options;
  const command = target.command();
  const id = command.jobId;
  line.send({ id, body: spoil(command), expiresInMs: timeoutMs });
  try {
    const answer = readAnswer(await target.reply(id), { id, kind, echoes: keepsJobId ? ['jobId'] : [] });
    expectError(answer, 'INVALID_COMMAND');
  } catch (error) {
    throw error instanceof Breach ? new Breach(`${what}: ${error.message}`) : error;
  }
}
