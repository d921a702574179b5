import { isDeepStrictEqual } from 'node:util';
import type { Field, FieldType, OtherNames } from './config-field-types.js';

export interface Layer {
  source: 'environment' | '.env';
  variables: Record<string, string | undefined>;
}

export interface Given {
  /** The variable that gave the value, or several of another program. */
  variables: readonly { name: string; source: Layer['source'] }[];
  text: string;
  type: FieldType<unknown>;
}

export interface FieldReading {
  field: Field;
  given?: Given;
  value: unknown;
  errors: string[];
  /** Variables of other programs that are set and have no effect. */
  ignored?: { names: string[]; because: string };
}

export function readField(field: Field, layers: readonly Layer[]): FieldReading {
  const own = ownVariables(field, layers);
  const { others } = field;
  const foreign = others?.variables.flatMap((one) => variableIn(layers, { type: field.type, ...one })) ?? [];
  if (own.length > 0) return withIgnored(readOwn(field, own), foreign);
  const missing = foreign.every(({ name }) => name !== others?.needs) && others?.needs;
  if (others && foreign.length > 0 && !missing) return readForeign(field, others, foreign);
  const value = field.default === undefined ? undefined : field.type.schema.parse(field.default);
  const ignored = missing && foreign.length > 0 && { names: namesOf(foreign), because: `${missing} is not set` };
  return { field, value, errors: [], ...(ignored && { ignored }) };
}

interface Variable {
  name: string;
  text: string;
  source: Layer['source'];
  type: FieldType<unknown>;
}

/** The environment decides if it has the variable or its old name. An empty text stands for the default. */
function ownVariables({ name, type, alias }: Field, layers: readonly Layer[]): Variable[] {
  const names = [{ name, type }];
  if (alias) names.push({ name: alias, type: type.milliseconds ?? type });
  const layer = layers.find(({ variables }) => names.some((one) => variables[one.name] !== undefined));
  return layer ? names.flatMap((one) => variableIn([layer], one)) : [];
}

function variableIn(layers: readonly Layer[], { name, type }: Pick<Variable, 'name' | 'type'>): Variable[] {
  const layer = layers.find(({ variables }) => variables[name] !== undefined);
  const text = layer?.variables[name];
  return layer && text ? [{ name, type, text, source: layer.source }] : [];
}

function readOwn(field: Field, variables: readonly Variable[]): FieldReading {
  const { errors, values } = parse(field, variables);
  const [first, alias] = variables;
  if (first && alias && errors.length === 0 && values[first.name] !== values[alias.name])
    errors.push(errorLine(field, { ...alias, expected: `the same as ${first.name}, or only one of the two` }));
  return { field, value: first && values[first.name], errors, ...(first && { given: givenBy([first], first) }) };
}

function readForeign(field: Field, others: OtherNames, variables: readonly Variable[]): FieldReading {
  const { errors, values } = parse(field, variables);
  if (errors.length > 0) return { field, value: undefined, errors };
  const made = { name: namesOf(variables).join(', '), text: others.toText(values), type: field.type };
  const result = parse(field, [made]);
  return { field, value: result.values[made.name], errors: result.errors, given: givenBy(variables, made) };
}

/** The variable of the field wins over those of other programs. */
function withIgnored(reading: FieldReading, foreign: readonly Variable[]): FieldReading {
  const { field, given, value } = reading;
  const { others } = field;
  if (!others || !given || reading.errors.length > 0) return reading;
  if (!foreign.some(({ name }) => name === (others.needs ?? name))) return reading;
  const theirs = readForeign(field, others, foreign);
  const meaning = others.meaning ?? ((one: unknown) => one);
  if (theirs.errors.length === 0 && isDeepStrictEqual(meaning(theirs.value), meaning(value))) return reading;
  const because = `${given.variables[0]?.name} has another value`;
  return { ...reading, ignored: { names: namesOf(foreign), because } };
}

function parse(field: Field, variables: readonly Omit<Variable, 'source'>[]) {
  const parsed = variables.map((one) => ({ ...one, result: one.type.schema.safeParse(one.text) }));
  const values = Object.fromEntries(parsed.map(({ name, result }) => [name, result.data]));
  const errors = parsed
    .filter(({ result }) => !result.success)
    .map(({ name, text, type }) => errorLine(field, { name, text, expected: type.expected }));
  return { errors, values };
}

const namesOf = (variables: readonly Variable[]) => variables.map(({ name }) => name);

const givenBy = (variables: readonly Variable[], { text, type }: Pick<Given, 'text' | 'type'>): Given => ({
  variables: variables.map(({ name, source }) => ({ name, source })),
  text,
  type,
});

export function errorLine(
  { secret }: Field,
  { name, text, expected }: { name: string; text?: string; expected: string },
): string {
  const shown = text !== undefined && secret ? '(hidden)' : (JSON.stringify(text) ?? 'nothing');
  return `  ${name}: got ${shown}, expected ${expected}`;
}
