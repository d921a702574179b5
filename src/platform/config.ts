import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Field, FieldType } from './config-field-types.js';
import { type AnyField, FIELDS } from './config-fields.js';
import { StartupError } from './errors/startup-error.js';

export { durationText, type RateLimit, type Role } from './config-field-types.js';

export const CONFIG = Symbol('configuration');

type ValueOf<F> = F extends Field<string, infer Value> ? Value : never;
type PlainValues = { [F in AnyField as F['key'] extends `${string}.${string}` ? never : F['key']]: ValueOf<F> };
type Section<Name extends string> = {
  [F in AnyField as F['key'] extends `${Name}.${infer Key}` ? Key : never]: ValueOf<F>;
};

export interface Config extends PlainValues {
  alerts: Section<'alerts'>;
  /** Without the api role a process listens only if PORT is set. */
  portGiven: boolean;
}

type Variables = Record<string, string | undefined>;

interface Layer {
  source: 'environment' | '.env';
  variables: Variables;
}

export function loadConfig(environment?: NodeJS.ProcessEnv, envFile?: string): Config {
  return toConfig(layersOf(environment, envFile));
}

export function parseConfig(variables: Variables): Config {
  return toConfig([{ source: 'environment', variables }]);
}

function toConfig(layers: readonly Layer[]): Config {
  const all = FIELDS.map((field) => readField(field, layers));
  const portGiven = all.some(({ field, given }) => field.key === 'port' && given.length > 0);
  return Object.assign(valuesOf<Omit<Config, 'portGiven'>>(all), { portGiven });
}

const CLIENT_KEYS = ['host', 'port', 'dataDir', 'adminKey', 'clientUrl', 'clientKey'] as const;

export type ClientConfig = ReturnType<typeof loadClientConfig>;

/** Reads what the command line needs to find Millrace. Errors in other variables do not prevent that. */
export function loadClientConfig(environment?: NodeJS.ProcessEnv, envFile?: string) {
  const layers = layersOf(environment, envFile);
  const fields = FIELDS.filter(({ key }) => CLIENT_KEYS.some((name) => name === key));
  const values = valuesOf<Pick<Config, (typeof CLIENT_KEYS)[number]>>(fields.map((one) => readField(one, layers)));
  const { clientUrl: url, clientKey: key, ...rest } = values;
  return { ...rest, url, key };
}

export function readVariables(environment: NodeJS.ProcessEnv = process.env, envFile = '.env') {
  const file: Variables = existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {};
  return { file, environment };
}

function layersOf(environment?: NodeJS.ProcessEnv, envFile?: string): Layer[] {
  const given = readVariables(environment, envFile);
  return [
    { source: 'environment', variables: given.environment },
    { source: '.env', variables: given.file },
  ];
}

export interface Given {
  name: string;
  text: string;
  source: Layer['source'];
  type: FieldType<unknown>;
}

export function givenFields(environment?: NodeJS.ProcessEnv, envFile?: string): { field: Field; given?: Given }[] {
  const layers = layersOf(environment, envFile);
  return FIELDS.map((field) => {
    const [given] = givenTexts(field, layers);
    return given ? { field, given } : { field };
  });
}

/** The environment decides if it has the variable or its alias. An empty text stands for the default. */
function givenTexts({ name, type, alias }: Field, layers: readonly Layer[]): Given[] {
  const names = [{ name, type }];
  if (alias) names.push({ name: alias, type: type.milliseconds ?? type });
  const layer = layers.find(({ variables }) => names.some((one) => variables[one.name] !== undefined));
  return names.flatMap((one) => {
    const text = layer?.variables[one.name];
    return layer && text ? [{ ...one, text, source: layer.source }] : [];
  });
}

interface FieldReading {
  field: Field;
  given: Given[];
  value: unknown;
  errors: string[];
}

function readField(field: Field, layers: readonly Layer[]): FieldReading {
  const given = givenTexts(field, layers);
  const parsed = given.map((one) => ({ ...one, result: one.type.schema.safeParse(one.text) }));
  const errors = parsed
    .filter(({ result }) => !result.success)
    .map(({ name, text, type }) => errorLine(field, { name, text, expected: type.expected }));
  const [first, alias] = parsed;
  if (first && alias && errors.length === 0 && first.result.data !== alias.result.data)
    errors.push(errorLine(field, { ...alias, expected: `the same as ${first.name}, or only one of the two` }));
  const fallback = field.default === undefined ? undefined : field.type.schema.parse(field.default);
  return { field, given, value: first ? first.result.data : fallback, errors };
}

function errorLine({ secret }: Field, { name, text, expected }: { name: string; text?: string; expected: string }) {
  const shown = text !== undefined && secret ? '(hidden)' : (JSON.stringify(text) ?? 'nothing');
  return `  ${name}: got ${shown}, expected ${expected}`;
}

function missingCounterparts(all: readonly FieldReading[]): string[] {
  return all.flatMap(({ field, given }) => {
    if (given.length > 0) return [];
    const needing = all.find((other) => other.given.length > 0 && other.field.needs === field.name);
    if (!needing) return [];
    const expected = `${field.type.expected}, because ${needing.field.name} is set`;
    return [errorLine(field, { name: field.name, expected })];
  });
}

/** `Shape` must be what the keys and types of the fields make, as in `Config`. */
function valuesOf<Shape>(all: readonly FieldReading[]): Shape {
  const errors = [...all.flatMap((one) => one.errors), ...missingCounterparts(all)];
  if (errors.length > 0)
    throw new StartupError(
      `The configuration has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}:\n${errors.join('\n')}`,
    );
  const values: Record<string, unknown> = {};
  const alerts: Record<string, unknown> = {};
  for (const { field, value } of all) {
    if (field.key.startsWith('alerts.')) alerts[field.key.slice('alerts.'.length)] = value;
    else values[field.key] = value;
  }
  return { ...values, alerts } as Shape;
}
