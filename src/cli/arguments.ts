import { parseArgs } from 'node:util';

/** Describes an option. Its help, its parsing and shell completions are made from this. */
export interface OptionSpec {
  help: string;
  /** The name of the value in the help. An option without it is a flag. */
  value?: string;
  /** Can be repeated. */
  many?: true;
  choices?: readonly string[];
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export interface ArgumentSpec {
  name: string;
  min: number;
  max: number;
  choices?: readonly string[];
  /** Shown if the argument is missing. */
  example?: string;
  /** Passes everything on unparsed, including options. */
  raw?: true;
}

type Text<Spec extends OptionSpec> = Spec extends { choices: readonly (infer Choice)[] } ? Choice : string;
type ValueOf<Spec extends OptionSpec> = Spec extends { many: true }
  ? Text<Spec>[]
  : Spec extends { value: string }
    ? Text<Spec> | undefined
    : boolean;

export interface Given<Specs extends OptionSpecs = OptionSpecs> {
  values: { [Name in keyof Specs]: ValueOf<Specs[Name]> };
  args: string[];
}

interface Accepted<Specs extends OptionSpecs> {
  args?: ArgumentSpec | undefined;
  options: Specs;
}

/** The message is followed by the usage of the action. */
export class WrongArguments extends Error {
  override readonly name = 'WrongArguments';
}

export function readArguments<const Specs extends OptionSpecs>(
  accepted: Accepted<Specs>,
  typed: string[],
): Given<Specs> {
  if (accepted.args?.raw) return { values: {} as Given<Specs>['values'], args: typed };
  const { tokens } = parseArgs({
    args: typed,
    options: toNodeOptions(accepted.options),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values: Record<string, unknown> = unsetValues(accepted.options);
  const args: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') args.push(token.value);
    if (token.kind === 'option') takeOption(token, accepted.options, values);
  }
  checkCount(args, accepted.args);
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
    throw new WrongArguments(`Unknown option \`${rawName}\`.${didYouMean(rawName, names)}`);
  }
  if (spec.value === undefined) {
    if (value !== undefined) throw new WrongArguments(`--${name} takes no value.`);
    values[name] = true;
    return;
  }
  const isMissing = value === undefined || (!inlineValue && value.startsWith('-') && value !== '-');
  if (isMissing) throw new WrongArguments(`--${name} needs a value: --${name} <${spec.value}>.`);
  if (spec.choices && !spec.choices.includes(value))
    throw new WrongArguments(`--${name} must be ${oneOf(spec.choices)}, not \`${value}\`.`);
  if (spec.many) (values[name] as string[]).push(value);
  else values[name] = value;
}

function checkCount(args: string[], spec: ArgumentSpec = { name: 'argument', min: 0, max: 0 }) {
  const surplus = args[spec.max];
  if (surplus !== undefined) throw new WrongArguments(`Unexpected argument \`${surplus}\`.`);
  if (args.length < spec.min)
    throw new WrongArguments(`Missing argument <${spec.name}>${spec.example ? `, for example ${spec.example}` : ''}.`);
  const unknown = spec.choices && args.find((arg) => !spec.choices?.includes(arg));
  if (unknown !== undefined)
    throw new WrongArguments(`<${spec.name}> must be ${oneOf(spec.choices ?? [])}, not \`${unknown}\`.`);
}

const oneOf = (choices: readonly string[]) => `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;

function toNodeOptions(specs: OptionSpecs) {
  const entries = Object.entries(specs).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }]);
  return Object.fromEntries(entries) as Record<string, { type: 'string' | 'boolean' }>;
}

function unsetValues(specs: OptionSpecs): Record<string, unknown> {
  const entries = Object.entries(specs).map(([name, spec]) => [name, spec.many ? [] : spec.value ? undefined : false]);
  return Object.fromEntries(entries);
}

/** A name that differs by more than this is another word, not a misspelt one. */
const MAX_CHANGES = 2;

/** Returns a sentence that names the most similar one, or nothing. */
export function didYouMean(given: string, names: readonly string[]): string {
  const [nearest] = names
    .map((name) => ({ name, changes: name.startsWith(given) ? 1 : editDistance(given, name) }))
    .filter(({ name, changes }) => changes <= Math.min(MAX_CHANGES, name.length - 1))
    .toSorted((one, other) => one.changes - other.changes);
  return nearest ? ` Did you mean \`${nearest.name}\`?` : '';
}

/** The Damerau–Levenshtein distance: letters added, removed, replaced or swapped with the next one. */
function editDistance(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, at) => [at, ...new Array<number>(other.length).fill(0)]);
  const at = (row: number, column: number) => table[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let column = 0; column <= other.length; column++) (table[0] as number[])[column] = column;
  for (let row = 1; row <= one.length; row++) {
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const fewest = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
      );
      (table[row] as number[])[column] = swapped ? Math.min(fewest, at(row - 2, column - 2) + 1) : fewest;
    }
  }
  return at(one.length, other.length);
}
