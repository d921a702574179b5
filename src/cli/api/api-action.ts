import type { Given, OptionSpecs } from '../arguments.js';
import { type Action, action, EXIT, type Terminal } from '../command.js';
import { ApiClient } from './api-client.js';
import { findMillrace } from './where.js';

/** Every action that talks to the API takes these. */
const CONNECTION = {
  url: { value: 'address', help: 'where Millrace is (default: MILLRACE_URL, or the one that runs on the data folder)' },
  key: { value: 'key', help: 'the key to show there (default: MILLRACE_KEY, or the one in the data folder)' },
  as: { value: 'user', help: 'act for this user of your application; needs an admin key' },
  json: { help: 'what the API answers, as JSON' },
} as const;

export interface Call<Specs extends OptionSpecs> extends Given<Specs & typeof CONNECTION> {
  api: ApiClient;
  terminal: Terminal;
  /** Prints an answer as it is, or as people read it. Ends with the exit code. */
  answer(answered: unknown, shown: () => string): number;
}

interface ApiAction<Specs extends OptionSpecs> extends Omit<Action<Specs>, 'run' | 'usual'> {
  run(call: Call<Specs>): Promise<number>;
}

/** An action that talks to the API. */
export function apiAction<const Specs extends OptionSpecs>(described: ApiAction<Specs>): Action {
  return action({
    ...described,
    options: { ...described.options, ...CONNECTION },
    usual: { title: 'Where to, and how it is shown', options: CONNECTION },
    run: async (given, terminal) => {
      const { values } = given as unknown as Given<typeof CONNECTION>;
      const api = new ApiClient({
        ...(await findMillrace(values, terminal.environment)),
        user: values.as,
        signal: terminal.interruption?.(),
        onWait: (seconds) => terminal.err(`Millrace asks for patience: going on in ${seconds} s\n`),
      });
      const answer = (answered: unknown, shown: () => string) => {
        terminal.out(values.json ? toJson(answered) : shown());
        return EXIT.done;
      };
      return described.run({ ...(given as Given<Specs & typeof CONNECTION>), api, terminal, answer });
    },
  });
}

export const toJson = (answered: unknown) => `${JSON.stringify(answered, null, 2)}\n`;
