import type { Given, OptionSpecs } from '../arguments.js';
import { type Action, action, CommandError, EXIT, type Terminal } from '../command.js';
import { ApiClient } from './api-client.js';
import { findMillrace } from './find-millrace.js';

/** Every action that calls the API has these options. */
const CONNECTION = {
  url: { value: 'url', help: 'Address of Millrace (default: MILLRACE_URL, or the server that uses the data folder)' },
  key: { value: 'key', help: 'API key (default: MILLRACE_KEY, or the key in the data folder)' },
  as: { value: 'user', help: 'Act for this user of your application; needs an admin key' },
  json: { help: 'Print the answer of the API as JSON' },
} as const;

export interface Call<Specs extends OptionSpecs> extends Given<Specs & typeof CONNECTION> {
  api: ApiClient;
  terminal: Terminal;
  /** Prints the answer as JSON or as text, and returns the exit code for success. */
  answer(answered: unknown, text: () => string): number;
}

interface ApiAction<Specs extends OptionSpecs> extends Omit<Action<Specs>, 'run' | 'shared'> {
  run(call: Call<Specs>): Promise<number>;
}

/** Makes an action that calls the API. */
export function apiAction<const Specs extends OptionSpecs>(described: ApiAction<Specs>): Action {
  return action({
    ...described,
    options: { ...described.options, ...CONNECTION },
    shared: { title: 'Connection and output', options: CONNECTION },
    run: async (given, terminal) => {
      const { values } = given as unknown as Given<typeof CONNECTION>;
      const api = new ApiClient({
        ...(await findMillrace(values, terminal.environment)),
        user: values.as,
        signal: terminal.interruption?.(),
        onWait: (seconds) => terminal.err(`The request limit is reached. Retrying in ${seconds} s.\n`),
      });
      const answer = (answered: unknown, text: () => string) => {
        terminal.out(values.json ? toJson(answered) : text());
        return EXIT.done;
      };
      try {
        return await described.run({ ...(given as Given<Specs & typeof CONNECTION>), api, terminal, answer });
      } catch (error) {
        throw error instanceof TypeError || error instanceof RangeError ? unexpectedAnswer(api.url, error) : error;
      }
    },
  });
}

/** Answers are not validated. A field that a server of another version does not send fails where it is used. */
const unexpectedAnswer = (url: string, { message }: Error) =>
  new CommandError(
    `The answer of ${url} is not what this version expects (${message}). The server may have another version; --json prints the answer as it is.`,
    EXIT.failed,
  );

export const toJson = (answered: unknown) => `${JSON.stringify(answered, null, 2)}\n`;
