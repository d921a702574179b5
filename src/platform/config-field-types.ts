import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { canParseUrl } from './can-parse-url.js';

export interface Field<Key extends string = string, Value = unknown> extends FieldOptions {
  name: string;
  key: Key;
  type: FieldType<Value>;
  default?: string;
}

interface FieldOptions {
  about: string;
  secret?: true;
  /** The old name of the variable. For a duration it takes milliseconds. */
  alias?: string;
  others?: OtherNames;
  needs?: string;
}

/** Variables of other programs that set a field, unless its own variable is set. */
export interface OtherNames {
  /** Without a type, a variable has that of the field. */
  variables: readonly { name: string; type?: FieldType<unknown> }[];
  /** The variable without which the others have no effect. */
  needs?: string;
  /** Makes the text for the field. Absent variables have no value. */
  toText(values: Readonly<Record<string, unknown>>): string;
  /** How the value follows from the variables, for the docs. */
  about: string;
  /** Two values mean the same if this returns equal results for them. */
  meaning?(value: unknown): unknown;
}

export interface FieldType<T> {
  schema: z.ZodType<T, string>;
  /** Completes "expected …" in messages. */
  expected: string;
  unit?: string;
  show?: (text: string) => string;
  milliseconds?: FieldType<T>;
}

export const group = <F extends Field>(title: string, fields: F[]) => ({ title, fields });

export const field = <Key extends string, T>(
  name: string,
  key: Key,
  type: FieldType<T>,
  defaultText: string,
  options: FieldOptions,
): Field<Key, T> => ({ name, key, type, default: defaultText, ...options });

export const optional = <Key extends string, T>(
  name: string,
  key: Key,
  type: FieldType<T>,
  options: FieldOptions,
): Field<Key, T | undefined> => ({ name, key, type, ...options });

export const text: FieldType<string> = { schema: z.string(), expected: 'any text' };

export const folder: FieldType<string> = {
  schema: z.string().transform((path) => resolve(path)),
  expected: 'the path of a folder',
};

export const matching = (pattern: RegExp, expected: string): FieldType<string> => ({
  schema: z.string().regex(pattern),
  expected,
});

export const wholeNumber = (min: number, max: number, unit?: string): FieldType<number> => ({
  schema: z.coerce.number<string>().int().min(min).max(max),
  expected: `a whole number from ${min} to ${max}`,
  ...(unit && { unit }),
});

export const percentage = (min: number, max: number): FieldType<number> => ({
  schema: z
    .string()
    .transform((given) => given.trim().replace(/^(.+?)\s*%$/, '$1'))
    .pipe(wholeNumber(min, max).schema),
  expected: `a percentage from ${min}% to ${max}%`,
  show: (given) => (given.endsWith('%') ? given : `${given}%`),
});

export const oneOf = <const T extends string>(...values: [T, ...T[]]): FieldType<T> => ({
  schema: z.enum(values),
  expected: `one of ${values.join(', ')}`,
});

export const logLevel = oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent');

export const adminKey = matching(/^[!-~]{24,500}$/, '24 to 500 printable ASCII characters without spaces');

export const signingSecret = matching(/.{16}/s, 'at least 16 characters');

export const exchangeName = matching(/^[\w.:-]{1,200}$/, 'a name of letters, digits and . : _ -');

export const queueName = matching(/^[a-zA-Z][\w.-]{0,99}$/, 'a name of up to 100 letters, digits and . _ -');

/** The other names belong to queues that Millrace or RabbitMQ declares for something else. */
export const scrapeQueueName = matching(
  /^(?!(?:fetch|scrape|millrace|amq)\.|failed_jobs$|scrape_results$)[\w.:/-]{1,200}$/,
  'a name of letters, digits and . : / _ -, which is not failed_jobs or scrape_results and begins with none of fetch. scrape. millrace. amq.',
);

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
type Unit = keyof typeof UNITS;

/** Reads `500ms`, `30s`, `5m`, `24h` and `10d` as milliseconds. A number without a unit is in seconds. */
export const duration = (min: string, max: string): FieldType<number> & { milliseconds: FieldType<number> } => {
  const minMs = inMs(min);
  const maxMs = inMs(max);
  return {
    schema: z
      .string()
      .transform((given) => inMs(given.trim()))
      .pipe(z.number().min(minMs).max(maxMs)),
    expected: `a duration from ${min} to ${max}`,
    show: (given) => (/^\d+$/.test(given) ? `${given}s` : given),
    milliseconds: {
      schema: z.coerce.number<string>().int().min(minMs).max(maxMs),
      expected: `a whole number of milliseconds from ${minMs} to ${maxMs}`,
      show: (given) => durationText(Number(given)),
    },
  };
};

export function durationText(ms: number): string {
  const [unit = 'ms', size = 1] = Object.entries(UNITS).findLast(([, size]) => ms % size === 0) ?? [];
  return ms === 0 ? '0s' : `${ms / size}${unit}`;
}

function inMs(given: string): number {
  const [, amount, unit = 's'] = /^(\d{1,12})(ms|s|m|h|d)?$/.exec(given) ?? [];
  return amount === undefined ? Number.NaN : Number(amount) * UNITS[unit as Unit];
}

export const moment: FieldType<string> = {
  schema: z.iso.datetime({ offset: true }),
  expected: 'a date and time such as 2027-03-29T09:00:00Z',
};

export const address = (...protocols: [string, ...string[]]): FieldType<string> => ({
  schema: z.string().refine((given) => canParseUrl(given) && protocols.includes(new URL(given).protocol)),
  expected: `an address such as ${protocols[0]}//host:port`,
});

/** Converts the address to ASCII, because HTTP headers cannot carry other characters. */
export const webAddress = (...moreProtocols: string[]): FieldType<string> => {
  const { schema, ...rest } = address('https:', 'http:', ...moreProtocols);
  return { schema: schema.transform((given) => new URL(given).href), ...rest };
};

const listOf = <T>(item: z.ZodType<T, string>, expected: string): FieldType<T[]> => ({
  schema: z
    .string()
    .transform((given) => [...new Set(itemsOf(given))])
    .pipe(z.array(item)),
  expected: `a comma-separated list of ${expected}`,
});

export const setOf = <const T extends string>(...values: [T, ...T[]]): FieldType<Set<T>> => {
  const { schema, expected } = listOf(z.literal(values), values.join(', '));
  return { schema: schema.transform((items) => new Set(items)), expected };
};

export type Role = 'api' | 'scheduler' | 'worker';
const anyRoles = setOf<Role>('api', 'scheduler', 'worker');
export const roles = { ...anyRoles, schema: anyRoles.schema.refine((given) => given.size > 0) };

const Port = z.string().regex(/^\d{1,5}$/);
export const ports = listOf(Port.transform(Number), 'ports such as 6000 or 10080');

const SecretKey = z.string().regex(/^[!-~]{32,500}$/);
export const secretKeys = listOf(SecretKey, 'keys of 32 to 500 printable ASCII characters');

function itemsOf(given: string): string[] {
  return given
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}

const NETWORKS = 'addresses or networks such as 127.0.0.1 or 10.0.0.0/8';
const Network = z.string().refine(isNetwork);
export const networks = listOf(Network, NETWORKS);
/** Refuses networks of all addresses: with one of them every caller could claim any address. */
export const proxyNetworks = listOf(
  Network.refine((given) => !/\/0+$/.test(given)),
  NETWORKS,
);

function isNetwork(given: string): boolean {
  const [ip = '', bits] = given.split('/');
  const family = isIP(ip);
  if (!family) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

export const nameServers = listOf(
  z.string().refine(isNameServer),
  'name servers such as 9.9.9.9, 127.0.0.1:5353 or [::1]:53',
);

function isNameServer(given: string): boolean {
  const [, v6, v4, port = '53'] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(given) ?? [];
  return (isIP(given) > 0 || isIP(v6 ?? v4 ?? '') > 0) && Number(port) > 0 && Number(port) < 65_536;
}

/** Type names are parts of queue names, and the queue `fetch.dlq` holds dead commands. */
export const typeNames = listOf(
  z.string().regex(/^(?!dlq$)[a-z][a-z0-9-]{0,49}$/),
  'names of lower-case letters, digits and hyphens, except dlq',
);

export const queuePatterns = listOf(
  z.string().regex(/^[\w.*-]{1,100}$/),
  'names of queues, with * for any characters, such as publish-facebook or fetch-*',
);

const SECOND = 1_000;

/** Reads `100` and `100/1m` as requests per second. */
export const requestRate = (maxPerSecond: number): FieldType<number> => ({
  schema: z
    .string()
    .transform((given) => {
      const [, most, window = '1s'] = /^(\d{1,9})(?:\/(\d+(?:ms|s|m|h|d)?))?$/.exec(given.trim()) ?? [];
      return (Number(most) * SECOND) / inMs(window);
    })
    .pipe(
      z
        .number()
        .min(1 / 60)
        .max(maxPerSecond),
    ),
  expected: `requests per second up to ${maxPerSecond}, or per another time, such as 100/1m`,
});

export interface RateLimit {
  most: number;
  windowMs: number;
}

/** Reads `facebook=200/1h,mastodon=none` by platform; null lifts a limit. */
export const rateLimits: FieldType<Map<string, RateLimit | null>> = {
  schema: z.string().transform((given, context) => mapOf(given, toRateLimit, context)),
  expected: 'limits such as facebook=200/1h,linkedin=none',
};

function toRateLimit(given: string): [string, RateLimit | null] | undefined {
  const [, platform = '', none, most, window = ''] =
    /^([a-z]+)=(?:(none)|(\d{1,9})\/(\d+(?:ms|s|m|h|d)?))$/.exec(given) ?? [];
  if (none) return [platform, null];
  const windowMs = inMs(window);
  return platform && Number(most) > 0 && windowMs > 0 ? [platform, { most: Number(most), windowMs }] : undefined;
}

/** Reads `example.org=60,api.example.org=600` as requests per minute by host. */
export const hostLimits: FieldType<Map<string, number>> = {
  schema: z.string().transform((given, context) => mapOf(given, toHostLimit, context)),
  expected: 'requests per minute by host, such as example.org=60,api.example.org=600',
};

function toHostLimit(given: string): [string, number] | undefined {
  const [, host = '', limit] = /^([^\s=:/]{1,253})=(\d{1,7})$/.exec(given) ?? [];
  return Number(limit) > 0 ? [host.toLowerCase(), Number(limit)] : undefined;
}

function mapOf<T>(
  given: string,
  toEntry: (item: string) => [string, T] | undefined,
  context: z.core.$RefinementCtx,
): Map<string, T> {
  const entries = itemsOf(given).map(toEntry);
  if (entries.includes(undefined)) context.addIssue({ code: 'custom', message: 'invalid' });
  return new Map(entries.filter((entry) => entry !== undefined));
}
