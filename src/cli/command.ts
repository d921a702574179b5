import type { ArgumentSpec, Given, OptionSpecs } from './arguments.js';

export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  colours: boolean;
  /** Columns of the terminal to which `out` writes. Without a terminal nothing is truncated. */
  width?: number | undefined;
  /** Whether `err` writes to a terminal. Progress is then a bar that moves, otherwise lines. */
  watched?: boolean;
  /** Defaults to the environment of the process. */
  environment?: NodeJS.ProcessEnv;
  /** Reads the whole standard input. */
  input?(): Promise<string>;
  /** Aborted by Ctrl+C, which does not end the process any more once this was called. */
  interruption?(): AbortSignal;
}

/** One thing that a command does. */
export interface Action<Specs extends OptionSpecs = OptionSpecs> {
  /** The word after the command's name that selects the action. */
  word?: string;
  /** One line that starts with a verb, without a full stop. */
  summary: string;
  args?: ArgumentSpec;
  options: Specs;
  /** Those of the options that many actions have. The help shows them in a section of their own. */
  shared?: { title: string; options: OptionSpecs };
  /** Text for the end of the help. */
  notes?: string;
  run(given: Given<Specs>, terminal: Terminal): Promise<number>;
}

export interface Command {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** The first action runs if no word selects another. It may have a word, too. */
  actions: readonly [Action, ...Action[]];
}

/** Checks that `run` fits the options, then forgets their types, so that actions can be listed together. */
export function action<const Specs extends OptionSpecs>(described: Action<Specs>): Action {
  return described as unknown as Action;
}

/** Only the message is shown, without a stack. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

/** The caller must change the command: exit code 2. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';

  constructor(message: string) {
    super(message, EXIT.wrongUsage);
  }
}

/** docs/cli.md lists the exit codes. */
export const EXIT = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  unreachable: 3,
  refused: 4,
  warning: 5,
  critical: 6,
  /** The code that shells report for SIGINT. */
  interrupted: 130,
} as const;
