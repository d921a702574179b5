import { StartupError } from '../platform/errors/startup-error.js';
import { type Terminal, UsageError } from './command.js';
import { COMMANDS } from './commands.js';

const WRONG_USAGE = 2;

/** From the words after `millrace` to the exit code. */
export async function main([name, ...args]: string[], terminal: Terminal): Promise<number> {
  if (name === undefined) return complain(terminal, overview());
  if (name === '--help' || name === '-h') return show(terminal, overview());
  const command = COMMANDS.find((known) => known.name === name);
  if (!command) return complain(terminal, `millrace: there is no command ${name}\n\n${overview()}`);
  if (asksForHelp(args)) return show(terminal, command.help);
  try {
    return await command.run(args, terminal);
  } catch (error) {
    if (!isWrongUsage(error)) throw error;
    return complain(terminal, `millrace ${name}: ${error.message}\n`);
  }
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`);
  return `Usage: millrace <command> [options]\n\n${lines.join('')}\nmillrace <command> --help tells more.\n`;
}

function asksForHelp(args: string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

function isWrongUsage(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof StartupError) return true;
  return String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS_');
}

function show(terminal: Terminal, text: string): number {
  terminal.out(text);
  return 0;
}

function complain(terminal: Terminal, text: string): number {
  terminal.err(text);
  return WRONG_USAGE;
}
