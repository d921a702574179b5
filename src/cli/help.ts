import type { ArgumentSpec, OptionSpec, OptionSpecs } from './arguments.js';
import type { Action, Command } from './command.js';

export function overview(commands: readonly Command[]): string {
  const lines = twoColumns(commands.map(({ name, summary }) => [name, summary]));
  return `Usage: millrace <command> [options]\n\n${lines}\nmillrace <command> --help tells more; millrace --version tells which one this is.\n`;
}

/** `millrace sources export [file] [options]` */
export function usageOf(command: Command, action: Action): string {
  const { args, options } = action;
  const word = action === command.actions[0] && action.word ? `[${action.word}]` : action.word;
  const hasOptions = Object.keys(options).length > 0;
  const parts = ['millrace', command.name, word, args && argumentOf(args), hasOptions && '[options]'];
  return parts.filter(Boolean).join(' ');
}

export function helpOf(command: Command, action: Action): string {
  const isWhole = action === command.actions[0] && command.actions.length > 1;
  const actions: readonly Action[] = isWhole ? command.actions : [action];
  const usages = actions.map((one, at) => `${at ? '       ' : 'Usage: '}${usageOf(command, one)}\n`).join('');
  const { title, options: usual } = action.usual ?? { title: '', options: {} };
  const own = Object.fromEntries(Object.entries(action.options).filter(([name]) => !(name in usual)));
  return [
    usages,
    isWhole ? twoColumns(actions.map(({ word, summary }) => [word ?? '', summary])) : sentence(action.summary),
    section('Options', own),
    section(title, usual),
    action.notes && `${action.notes.trimEnd()}\n`,
  ]
    .filter(Boolean)
    .join('\n');
}

function argumentOf({ name, least, most, choices }: ArgumentSpec): string {
  const shown = `${choices ? choices.join('|') : name}${most > 1 ? '…' : ''}`;
  return least ? `<${shown}>` : `[${shown}]`;
}

function section(title: string, options: OptionSpecs): string {
  const rows = Object.entries(options).map(([name, spec]): [string, string] => [optionOf(name, spec), helpWith(spec)]);
  return rows.length ? `${title}:\n${twoColumns(rows)}` : '';
}

const optionOf = (name: string, { value }: OptionSpec) => `--${name}${value === undefined ? '' : ` <${value}>`}`;

const helpWith = ({ help, choices, many }: OptionSpec) =>
  [help, choices && `: ${choices.join(', ')}`, many && ' (may be repeated)'].filter(Boolean).join('');

const sentence = (summary: string) => `${summary[0]?.toUpperCase()}${summary.slice(1)}.\n`;

function twoColumns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}\n`).join('');
}
