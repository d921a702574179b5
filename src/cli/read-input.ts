import { readFile } from 'node:fs/promises';
import { type Terminal, UsageError } from './command.js';

/** Reads a file, or the standard input if the path is `-`. */
export async function readText(path: string, terminal: Terminal): Promise<string> {
  if (path === '-') return readInput(terminal);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`Could not read ${path}: ${(error as Error).message}`);
  }
}

export async function readInput(terminal: Terminal): Promise<string> {
  if (!terminal.input) throw new UsageError('There is no standard input to read.');
  return terminal.input();
}

/** Returns the lines that are neither empty nor comments. */
export const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
