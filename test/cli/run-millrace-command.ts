import type { Terminal } from '../../src/cli/command.js';
import { main } from '../../src/cli/main.js';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

interface Surroundings extends Partial<Omit<Terminal, 'out' | 'err' | 'input' | 'interruption'>> {
  /** The standard input. */
  input?: string;
  /** Stops the command as Ctrl+C does. */
  interruption?: AbortSignal;
  /** Receives everything that has been printed so far. */
  onOut?(printed: string): void;
}

/** Empty values override those of a developer's `.env`. */
const NOTHING_SET = { RABBITMQ_URL: '', MILLRACE_RABBITMQ_EXCHANGE: '', MILLRACE_URL: '', MILLRACE_KEY: '' };

/** Runs `millrace …` in this process with its own environment. */
export async function runMillraceCommand(args: string[], surroundings: Surroundings = {}): Promise<Ran> {
  const { environment = {}, input, interruption, onOut, ...terminal } = surroundings;
  const ran = { code: 0, out: '', err: '' };
  ran.code = await main(args, {
    colours: false,
    ...terminal,
    out: (text) => {
      ran.out += text;
      onOut?.(ran.out);
    },
    err: (text) => (ran.err += text),
    environment: { ...NOTHING_SET, ...environment },
    ...(input !== undefined && { input: async () => input }),
    ...(interruption && { interruption: () => interruption }),
  });
  return ran;
}
