import { canParseUrl } from '../platform/can-parse-url.js';
import { type Given, givenFields, loadConfig } from '../platform/config.js';
import { redactAddress } from '../platform/redact.js';
import { toJson } from './api/api-action.js';
import { action, type Command, EXIT } from './command.js';
import { type Column, table } from './show/table.js';

const HIDDEN = '(hidden)';

const COLUMNS: Column<EffectiveValue>[] = [
  { title: 'VARIABLE', show: ({ name }) => name },
  {
    title: 'FROM',
    show: ({ source, alias }) => (alias ? `${source} (${alias})` : source),
    colour: ({ source }) => (source === 'default' ? 'grey' : 'green'),
  },
  { title: 'VALUE', show: ({ value }) => value, truncates: true },
];

const SUMMARY = 'Shows the configuration that Millrace would start with, and where each value comes from';

export const config: Command = {
  name: 'config',
  summary: SUMMARY,
  actions: [
    action({
      summary: SUMMARY,
      options: {
        given: { help: 'Only values that are not defaults' },
        json: { help: 'Print JSON' },
      },
      notes:
        'Exit code: 0 if the configuration is valid, 2 if it has errors; all errors are shown. Secrets are hidden.',
      async run({ values }, terminal) {
        loadConfig(terminal.environment);
        const all = effectiveValues(terminal.environment);
        const items = values.given ? all.filter(({ source }) => source !== 'default') : all;
        if (values.json) terminal.out(toJson({ items, nextCursor: null }));
        else terminal.out(items.length ? table(COLUMNS, items, terminal) : 'All values are defaults.\n');
        return EXIT.done;
      },
    }),
  ],
};

interface EffectiveValue {
  name: string;
  /** Null if there is none. Secrets are hidden. */
  value: string | null;
  source: 'environment' | '.env' | 'default';
  /** The old name under which the value was given. */
  alias?: string;
}

export function effectiveValues(environment?: NodeJS.ProcessEnv, envFile?: string): EffectiveValue[] {
  return givenFields(environment, envFile).map(({ field, given }) => {
    const { name, secret } = field;
    if (!given) return { name, value: field.default || null, source: 'default' };
    const value = secret ? withoutSecrets(given.text) : shownValue(given);
    const alias = given.name === name ? undefined : given.name;
    return { name, value, source: given.source, ...(alias && { alias }) };
  });
}

function shownValue({ text, type }: Given): string {
  return type.show?.(text.trim()) ?? text;
}

/** Shows the host of an address, which is not secret. */
function withoutSecrets(text: string): string {
  return canParseUrl(text) && new URL(text).host ? redactAddress(text) : HIDDEN;
}
