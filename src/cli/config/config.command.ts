import { z } from 'zod';
import { canParseUrl } from '../../platform/can-parse-url.js';
import { durationText, Environment, IS_DURATION, isSecret, loadConfig, readVariables } from '../../platform/config.js';
import { redactAddress } from '../../platform/redact.js';
import { toJson } from '../api/api-action.js';
import { action, type Command, EXIT } from '../command.js';
import { type Column, table } from '../show/table.js';

const HIDDEN = '(hidden)';

const COLUMNS: Column<EffectiveValue>[] = [
  { title: 'VARIABLE', show: ({ name }) => name },
  { title: 'FROM', show: ({ source }) => source, colour: ({ source }) => (source === 'default' ? 'grey' : 'green') },
  { title: 'VALUE', show: ({ value }) => value, cuts: true },
];

const SUMMARY = 'shows the configuration that a start from here would have, and where each value comes from';

export const config: Command = {
  name: 'config',
  summary: SUMMARY,
  actions: [
    action({
      summary: SUMMARY,
      options: {
        given: { help: 'only what is not left at its default' },
        json: { help: 'as JSON' },
      },
      notes:
        'Exit code: 0 it is right, 2 it has mistakes, which are told as a start would tell them. Secrets are hidden.',
      async run({ values }, terminal) {
        loadConfig(terminal.environment);
        const all = effectiveValues(terminal.environment);
        const items = values.given ? all.filter(({ source }) => source !== 'default') : all;
        if (values.json) terminal.out(toJson({ items, nextCursor: null }));
        else terminal.out(items.length ? table(COLUMNS, items, terminal) : 'Everything is left at its default.\n');
        return EXIT.done;
      },
    }),
  ],
};

interface EffectiveValue {
  name: string;
  /** Null where there is none; secrets are hidden. */
  value: string | null;
  source: 'environment' | '.env' | 'default';
}

/** Every variable, what it is, and where that comes from. */
export function effectiveValues(environment?: NodeJS.ProcessEnv, envFile?: string): EffectiveValue[] {
  const given = readVariables(environment, envFile);
  return Object.entries(Environment.shape).map(([name, schema]) => {
    // One that is there but empty hides the line of the file, and stands for the default.
    const inEnvironment = given.environment[name];
    const text = inEnvironment ?? given.file[name];
    if (!text) return { name, value: defaultOf(schema), source: 'default' };
    const source = inEnvironment === undefined ? '.env' : 'environment';
    return { name, value: isSecret(name) ? withoutSecrets(text) : text, source };
  });
}

/** Of an address everybody may know where it leads. */
function withoutSecrets(text: string): string {
  return canParseUrl(text) && new URL(text).host ? redactAddress(text) : HIDDEN;
}

function defaultOf(schema: z.ZodType): string | null {
  const value = schema.parse(undefined);
  const isDuration = schema instanceof z.ZodDefault && (schema.unwrap() as z.ZodType).meta()?.[IS_DURATION];
  if (isDuration) return durationText(value as number);
  if (Array.isArray(value)) return value.join(',') || null;
  if (value instanceof Map) return null;
  return value === undefined ? null : String(value);
}
