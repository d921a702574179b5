import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Field } from './config-field-types.js';
import { type AnyField, FIELDS } from './config-fields.js';
import { errorLine, type FieldReading, type Layer, readField } from './config-reading.js';
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

export function loadConfig(environment?: NodeJS.ProcessEnv, envFile?: string): Config {
  return toConfig(layersOf(environment, envFile));
}

export function parseConfig(variables: Layer['variables']): Config {
  return toConfig([{ source: 'environment', variables }]);
}

function toConfig(layers: readonly Layer[]): Config {
  const all = FIELDS.map((field) => readField(field, layers));
  const portGiven = all.some(({ field, given }) => field.key === 'port' && given !== undefined);
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
  const file: Layer['variables'] = existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {};
  return { file, environment };
}

function layersOf(environment?: NodeJS.ProcessEnv, envFile?: string): Layer[] {
  const given = readVariables(environment, envFile);
  return [
    { source: 'environment', variables: given.environment },
    { source: '.env', variables: given.file },
  ];
}

/** Returns how each field was set, for those who look for the origin of a value. */
export function readFields(environment?: NodeJS.ProcessEnv, envFile?: string): FieldReading[] {
  const layers = layersOf(environment, envFile);
  return FIELDS.map((field) => readField(field, layers));
}

function missingCounterparts(all: readonly FieldReading[]): string[] {
  return all.flatMap(({ field, given }) => {
    if (given) return [];
    const needing = all.find((other) => other.given && other.field.needs === field.name);
    if (!needing) return [];
    const expected = `${field.type.expected}, because ${needing.field.name} is set`;
    return [errorLine(field, { name: field.name, expected })];
  });
}

/** `Shape` must be what the keys and types of the fields make, as in `Config`. */
function valuesOf<Shape>(all: readonly FieldReading[]): Shape {
  // A variable of another program that sets several fields is reported once.
  const errors = [...new Set([...all.flatMap((one) => one.errors), ...missingCounterparts(all)])];
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
