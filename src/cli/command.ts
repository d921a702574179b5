/** What a command sees of the world around it. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  colours: boolean;
  /** Of the process unless given. */
  environment?: NodeJS.ProcessEnv;
}

/** A command of `millrace`. Its file exports one of these, and `commands.ts` lists it. */
export interface Command {
  name: string;
  /** One line, for the list of commands. */
  summary: string;
  help: string;
  /** Ends with the exit code. */
  run(args: string[], terminal: Terminal): Promise<number>;
}

/** Something that whoever called must put right: shown as its message alone, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
