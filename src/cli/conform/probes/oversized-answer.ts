import { sizeOf } from '../answer.js';
import type { Probe } from '../target.js';

const LIMIT = 1_000_000;

export const oversizedAnswer: Probe = {
  name: 'oversized-answer',
  checks: 'a limit of a million is answered within the limits of the contract, or with an error',
  async run(target) {
    const { answer, bytes } = await target.ask({ limit: LIMIT });
    if (answer.status === 'error') return `answered with ${answer.error.code}`;
    return `${answer.items.length} ${target.options.kind.items}, ${sizeOf(bytes)}`;
  },
};
