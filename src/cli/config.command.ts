import { canParseUrl } from '../platform/can-parse-url.js';
import { loadConfig, readFields } from '../platform/config.js';
import type { Given } from '../platform/config-reading.js';
import { redactAddress } from '../platform/redact.js';
import { toJson } from './api/api-action.js';
import { action, type Command, EXIT } from './command.js';
import { type Column, table } from './show/table.js';

const HIDDEN = '(hidden)';

const COLUMNS: Column<EffectiveValue>[] = [
  { title: 'VARIABLE', show: ({ name }) => name },
  {
    title: 'FROM',
    show: showOrigin,
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
        if (values.json) {
          terminal.out(toJson({ items, nextCursor: null }));
          return EXIT.done;
        }
        terminal.out(items.length ? table(COLUMNS, items, terminal) : 'All values are defaults.\n');
        for (const { ignored } of all)
          if (ignored) terminal.out(`Ignored: ${ignored.names.join(', ')}, because ${ignored.because}.\n`);
        return EXIT.done;
      },
    }),
  ],
};

interface EffectiveValue {
  name: string;
  /** Null if there is none. Secrets are hidden. */
  value: string | null;
  source: Origin['source'] | 'default';
  /** The old name, or the variables of another program, under which the value was given. */
  alias?: string;
  /** Where each of these variables is, if there are several. */
  variables?: readonly Origin[];
  ignored?: { names: string[]; because: string };
}

type Origin = Given['variables'][number];

/** A value of several variables may come from both places. */
function showOrigin({ source, alias, variables }: EffectiveValue): string {
  if (!alias) return source;
  if (!variables) return `${source} (${alias})`;
  const places = new Set(variables.map((one) => one.source));
  const namesIn = (place: string) => variables.filter((one) => one.source === place).map(({ name }) => name);
  return [...places].map((place) => `${place} (${namesIn(place).join(', ')})`).join(', ');
}

export function effectiveValues(environment?: NodeJS.ProcessEnv, envFile?: string): EffectiveValue[] {
  return readFields(environment, envFile).map(({ field, given, ignored }) => {
    const { name, secret } = field;
    const warning = ignored && { ignored };
    if (!given) return { name, value: field.default || null, source: 'default', ...warning };
    const value = secret ? withoutSecrets(given.text) : shownValue(given);
    const { variables } = given;
    const alias = variables.map((one) => one.name).join(', ');
    return {
      name,
      value,
      source: variables[0]?.source ?? 'default',
      ...(alias !== name && { alias }),
      ...(variables.length > 1 && { variables }),
      ...warning,
    };
  });
}

function shownValue({ text, type }: Given): string {
  return type.show?.(text.trim()) ?? text;
}

/** Shows the host of an address, which is not secret. */
function withoutSecrets(text: string): string {
  return canParseUrl(text) && new URL(text).host ? redactAddress(text) : HIDDEN;
}
