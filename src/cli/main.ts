import { StartupError } from '../platform/errors/startup-error.js';
import { VERSION } from '../platform/process/version.js';
import {
  type ArgumentSpec,
  didYouMean,
  type OptionSpec,
  type OptionSpecs,
  readArguments,
  WrongArguments,
} from './arguments.js';
import { type Action, type Command, CommandError, EXIT, type Terminal } from './command.js';
import { COMMANDS } from './commands.js';

/** Runs `millrace` with these arguments and returns the exit code. */
export async function main([name, ...typed]: string[], terminal: Terminal): Promise<number> {
  if (name === undefined) return complain(terminal, overview(COMMANDS));
  if (name === '--help' || name === '-h') return show(terminal, overview(COMMANDS));
  if (name === '--version' || name === '-v') return show(terminal, `${VERSION}\n`);
  const command = COMMANDS.find((known) => known.name === name);
  if (!command) return complain(terminal, unknownCommand(name));
  const { action, rest } = actionOf(command, typed);
  if (asksForHelp(rest)) return show(terminal, helpOf(command, action));
  try {
    refuseUnknownWord({ command, action }, rest);
    return await action.run(readArguments(action, rest), terminal);
  } catch (error) {
    return explain(error, { command, action }, terminal);
  }
}

function unknownCommand(name: string): string {
  const names = COMMANDS.map((known) => known.name);
  return `millrace: Unknown command \`${name}\`.${didYouMean(name, names)}\nRun \`millrace --help\` to list all commands.\n`;
}

/** The word must come first, so that it is never confused with an argument or with the value of an option. */
function actionOf({ actions }: Command, typed: string[]): { action: Action; rest: string[] } {
  const named = actions.find(({ word }) => word !== undefined && word === typed[0]);
  return named ? { action: named, rest: typed.slice(1) } : { action: actions[0], rest: typed };
}

/** An action without arguments can only be followed by a word, which may be misspelt. */
function refuseUnknownWord({ command, action }: Called, [first = '-']: string[]): void {
  const words = command.actions.flatMap(({ word }) => word ?? []);
  if (action.args || !words.length || first.startsWith('-') || action !== command.actions[0]) return;
  throw new WrongArguments(`Unknown subcommand \`${first}\`.${didYouMean(first, words)}`);
}

function asksForHelp(typed: string[]): boolean {
  const options = typed.slice(0, typed.includes('--') ? typed.indexOf('--') : undefined);
  return options.includes('--help') || options.includes('-h');
}

interface Called {
  command: Command;
  action: Action;
}

function explain(error: unknown, { command, action }: Called, terminal: Terminal): number {
  const word = action === command.actions[0] ? undefined : action.word;
  const prefix = ['millrace', command.name, word].filter(Boolean).join(' ');
  if (error instanceof WrongArguments)
    return complain(terminal, `${prefix}: ${error.message}\nUsage: ${usageOf(command, action)}\n`);
  if (error instanceof StartupError) return complain(terminal, `${prefix}: ${error.message}\n`);
  if (!(error instanceof CommandError)) throw error;
  if (error.message) terminal.err(`${prefix}: ${error.message}\n`);
  return error.exitCode;
}

function show(terminal: Terminal, text: string): number {
  terminal.out(text);
  return EXIT.done;
}

function complain(terminal: Terminal, text: string): number {
  terminal.err(text);
  return EXIT.wrongUsage;
}

function overview(commands: readonly Command[]): string {
  const lines = twoColumns(commands.map(({ name, summary }) => [name, summary]));
  return `Usage: millrace <command> [options]\n\n${lines}\nRun \`millrace <command> --help\` for details, or \`millrace --version\` for the version.\n`;
}

/** `millrace sources export [file] [options]` */
function usageOf(command: Command, action: Action): string {
  const { args, options } = action;
  const word = action === command.actions[0] && action.word ? `[${action.word}]` : action.word;
  const hasOptions = Object.keys(options).length > 0;
  const parts = ['millrace', command.name, word, args && argumentOf(args), hasOptions && '[options]'];
  return parts.filter(Boolean).join(' ');
}

function helpOf(command: Command, action: Action): string {
  const isWhole = action === command.actions[0] && command.actions.length > 1;
  const actions: readonly Action[] = isWhole ? command.actions : [action];
  const usages = actions.map((one, at) => `${at ? '       ' : 'Usage: '}${usageOf(command, one)}\n`).join('');
  const { title, options: shared } = action.shared ?? { title: '', options: {} };
  const own = Object.fromEntries(Object.entries(action.options).filter(([name]) => !(name in shared)));
  return [
    usages,
    isWhole ? twoColumns(actions.map(({ word, summary }) => [word ?? '', summary])) : `${action.summary}.\n`,
    section('Options', own),
    section(title, shared),
    action.notes && `${action.notes.trimEnd()}\n`,
  ]
    .filter(Boolean)
    .join('\n');
}

function argumentOf({ name, min, max, choices }: ArgumentSpec): string {
  const shown = `${choices ? choices.join('|') : name}${max > 1 ? '…' : ''}`;
  return min ? `<${shown}>` : `[${shown}]`;
}

function section(title: string, options: OptionSpecs): string {
  const rows = Object.entries(options).map(([name, spec]): [string, string] => [optionOf(name, spec), helpWith(spec)]);
  return rows.length ? `${title}:\n${twoColumns(rows)}` : '';
}

const optionOf = (name: string, { value }: OptionSpec) => `--${name}${value === undefined ? '' : ` <${value}>`}`;

const helpWith = ({ help, choices, many }: OptionSpec) =>
  [help, choices && `: ${choices.join(', ')}`, many && ' (repeatable)'].filter(Boolean).join('');

function twoColumns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}\n`).join('');
}
