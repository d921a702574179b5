import { parseArgs } from 'node:util';
import { didYouMean } from './nearest.js';

/** An option, described once: its help, how it is read, and what a shell can complete all come from here. */
export interface OptionSpec {
  help: string;
  /** What its value is called; without it the option is one that is there or not. */
  value?: string;
  /** May be given several times. */
  many?: true;
  /** The values that there are. */
  choices?: readonly string[];
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** What stands beside the options. */
export interface ArgumentSpec {
  name: string;
  least: number;
  most: number;
  choices?: readonly string[];
  /** One, for whoever forgot it. */
  example?: string;
  /** Everything is passed on as it is, options too. */
  raw?: true;
}

type ValueOf<Spec extends OptionSpec> = Spec extends { many: true }
  ? string[]
  : Spec extends { value: string }
    ? string | undefined
    : boolean;

export interface Given<Specs extends OptionSpecs = OptionSpecs> {
  values: { [Name in keyof Specs]: ValueOf<Specs[Name]> };
  args: string[];
}

interface Taking<Specs extends OptionSpecs> {
  args?: ArgumentSpec | undefined;
  options: Specs;
}

/** What was typed is not what the action takes: its usage helps. */
export class WrongArguments extends Error {
  override readonly name = 'WrongArguments';
}

export function readArguments<const Specs extends OptionSpecs>(taking: Taking<Specs>, typed: string[]): Given<Specs> {
  if (taking.args?.raw) return { values: {} as Given<Specs>['values'], args: typed };
  const { tokens } = parseArgs({
    args: typed,
    options: toNodeOptions(taking.options),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values: Record<string, unknown> = nothingGiven(taking.options);
  const args: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') args.push(token.value);
    if (token.kind === 'option') takeOption(token, taking.options, values);
  }
  checkCount(args, taking.args);
  return { values: values as Given<Specs>['values'], args };
}

interface OptionToken {
  name: string;
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

function takeOption(
  { name, rawName, value, inlineValue }: OptionToken,
  specs: OptionSpecs,
  values: Record<string, unknown>,
) {
  const spec = specs[name];
  if (!spec || !rawName.startsWith('--')) {
    const names = Object.keys(specs).map((known) => `--${known}`);
    throw new WrongArguments(`there is no option ${rawName}${didYouMean(rawName, names)}`);
  }
  if (spec.value === undefined) {
    if (value !== undefined) throw new WrongArguments(`--${name} takes no value`);
    values[name] = true;
    return;
  }
  const isMissing = value === undefined || (!inlineValue && value.startsWith('-') && value !== '-');
  if (isMissing) throw new WrongArguments(`--${name} needs a value: --${name} <${spec.value}>`);
  if (spec.choices && !spec.choices.includes(value))
    throw new WrongArguments(`--${name} takes ${oneOf(spec.choices)}, not ${value}`);
  if (spec.many) (values[name] as string[]).push(value);
  else values[name] = value;
}

function checkCount(args: string[], spec: ArgumentSpec = { name: 'argument', least: 0, most: 0 }) {
  const surplus = args[spec.most];
  if (surplus !== undefined) throw new WrongArguments(`${surplus} is one too many`);
  if (args.length < spec.least)
    throw new WrongArguments(`${spec.name} is missing${spec.example ? `: such as ${spec.example}` : ''}`);
  const strange = spec.choices && args.find((arg) => !spec.choices?.includes(arg));
  if (strange !== undefined) throw new WrongArguments(`${spec.name} is ${oneOf(spec.choices ?? [])}, not ${strange}`);
}

const oneOf = (choices: readonly string[]) => `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;

function toNodeOptions(specs: OptionSpecs) {
  const entries = Object.entries(specs).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }]);
  return Object.fromEntries(entries) as Record<string, { type: 'string' | 'boolean' }>;
}

function nothingGiven(specs: OptionSpecs): Record<string, unknown> {
  const entries = Object.entries(specs).map(([name, spec]) => [name, spec.many ? [] : spec.value ? undefined : false]);
  return Object.fromEntries(entries);
}
