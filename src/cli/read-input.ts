import { readFile } from 'node:fs/promises';
import { type Terminal, UsageError } from './command.js';

/** A file, or the standard input for `-`. */
export async function readText(path: string, terminal: Terminal): Promise<string> {
  if (path === '-') return readInput(terminal);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${(error as Error).message}`);
  }
}

export async function readInput(terminal: Terminal): Promise<string> {
  if (!terminal.input) throw new UsageError('there is no standard input to read');
  return terminal.input();
}

/** Lines with something on them, but for comments. */
export const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
