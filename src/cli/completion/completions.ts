import type { OptionSpecs } from '../arguments.js';
import type { Action, Command } from '../command.js';

/** A word or an option that a shell can offer. */
export interface Offer {
  text: string;
  help: string;
}

export interface OfferedOption extends Offer {
  takesValue: boolean;
  choices: readonly string[];
}

/** What can follow a command, or a command and the word after it. */
export interface Place {
  command: string;
  /** Empty for what the command does by itself. */
  word: string;
  /** That may stand right after the command. */
  words: Offer[];
  options: OfferedOption[];
  /** Values of its arguments, where there are few. */
  choices: readonly string[];
}

export interface Completions {
  commands: Offer[];
  places: Place[];
}

/** What there is to offer, whatever the shell. */
export function completionsOf(commands: readonly Command[]): Completions {
  return {
    commands: commands.map(({ name, summary }) => ({ text: name, help: summary })),
    places: commands.flatMap(({ name, actions }) => [
      { ...placeOf(name, actions[0]), words: wordsOf(actions) },
      ...actions.flatMap((one) => (one.word === undefined ? [] : { ...placeOf(name, one), word: one.word })),
    ]),
  };
}

const wordsOf = (actions: readonly Action[]): Offer[] =>
  actions.flatMap(({ word, summary }) => (word === undefined ? [] : { text: word, help: summary }));

const placeOf = (command: string, { options, args }: Action): Place => ({
  command,
  word: '',
  words: [],
  options: optionsOf({ ...options, help: HELP }),
  choices: args?.choices ?? [],
});

const HELP = { help: 'tells more' } as const;

const optionsOf = (specs: OptionSpecs): OfferedOption[] =>
  Object.entries(specs).map(([name, { help, value, choices = [] }]) => {
    return { text: `--${name}`, help, takesValue: value !== undefined, choices };
  });
