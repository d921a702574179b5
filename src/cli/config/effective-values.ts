import { z } from 'zod';
import { canParseUrl } from '../../platform/can-parse-url.js';
import { durationText, Environment, IS_DURATION, isSecret, readVariables } from '../../platform/config.js';
import { redactAddress } from '../../platform/redact.js';

export interface EffectiveValue {
  name: string;
  /** Null where there is none; secrets are hidden. */
  value: string | null;
  source: 'environment' | '.env' | 'default';
}

const HIDDEN = '(hidden)';

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
