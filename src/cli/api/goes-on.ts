import { CommandError } from '../command.js';

/** Who can watch no longer, or does not want to, is told that the work itself has not ended. */
export async function goesOn<T>(sentence: string, watch: () => Promise<T>): Promise<T> {
  try {
    return await watch();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError([error.message, sentence].filter(Boolean).join('\n'), error.exitCode);
  }
}
