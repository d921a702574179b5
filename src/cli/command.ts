import type { ArgumentSpec, Given, OptionSpecs } from './arguments.js';

/** What a command sees of the world around it. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  colours: boolean;
  /** Columns of the terminal that `out` leads to; where it is none, nothing is cut. */
  width?: number | undefined;
  /** Whether somebody watches `err`: then progress is a bar that moves, and else lines. */
  watched?: boolean;
  /** Of the process unless given. */
  environment?: NodeJS.ProcessEnv;
  /** All of the standard input. */
  input?(): Promise<string>;
  /** Aborted by Ctrl+C, which from the first call on does not end the process by itself. */
  interruption?(): AbortSignal;
}

/** One thing that a command does. */
export interface Action<Specs extends OptionSpecs = OptionSpecs> {
  /** What stands after the command's name to ask for it. */
  word?: string;
  /** One line, in the words of somebody who looks for it. */
  summary: string;
  args?: ArgumentSpec;
  options: Specs;
  /** Options whose help is one line, the same for many actions. */
  usual?: { title: string; options: OptionSpecs };
  /** What the help says at its end. */
  notes?: string;
  run(given: Given<Specs>, terminal: Terminal): Promise<number>;
}

/** A command of `millrace`. Its file exports one of these, and `commands.ts` lists it. */
export interface Command {
  name: string;
  /** One line, for the list of commands. */
  summary: string;
  /** The first one is what the command does if none is named by its word; it may have a word itself. */
  actions: readonly [Action, ...Action[]];
}

/** Options and what `run` is given fit together; outside nobody needs to know which they are. */
export function action<const Specs extends OptionSpecs>(described: Action<Specs>): Action {
  return described as unknown as Action;
}

/** Said to whoever called, as its message alone. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

/** Something that whoever called must put right: exit code 2. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';

  constructor(message: string) {
    super(message, EXIT.wrongUsage);
  }
}

/** What scripts can tell apart. docs/cli.md lists them. */
export const EXIT = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  unreachable: 3,
  refused: 4,
  warning: 5,
  critical: 6,
  /** As shells show one that was ended by SIGINT. */
  interrupted: 130,
} as const;
