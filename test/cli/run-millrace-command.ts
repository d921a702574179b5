import { main } from '../../src/cli/main.js';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

interface Surroundings {
  environment?: NodeJS.ProcessEnv;
  colours?: boolean;
}

/** `millrace …` in this process, in an environment of its own. */
export async function runMillraceCommand(
  args: string[],
  { environment = {}, colours = false }: Surroundings = {},
): Promise<Ran> {
  const ran = { code: 0, out: '', err: '' };
  // Empty ones win over those of a `.env` that somebody may have here.
  const surroundings = { RABBITMQ_URL: '', MILLRACE_RABBITMQ_EXCHANGE: '', ...environment };
  ran.code = await main(args, {
    out: (text) => (ran.out += text),
    err: (text) => (ran.err += text),
    colours,
    environment: surroundings,
  });
  return ran;
}
