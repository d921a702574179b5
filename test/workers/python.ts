import { describe, it } from 'vitest';
import { thisMachine } from '../harness/servers/machine.js';
import { whyNoPython } from '../harness/servers/server-choice.js';

const machine = thisMachine();
const program = machine.given('python') ?? machine.installed('python');

/** Returns the interpreter that can run the workers of workers/python. */
export function pythonProgram(): string {
  if (!program) throw new Error(whyNoPython());
  return program;
}

/** Like `describe`, but skipped with the reason if no suitable Python is available. */
export function describeWithPython(name: string, tests: () => void): void {
  if (program) describe(name, tests);
  else it.skip(`${name}: ${whyNoPython()}`, () => undefined);
}
