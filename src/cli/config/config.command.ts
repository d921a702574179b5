import { loadConfig } from '../../platform/config.js';
import { toJson } from '../api/api-action.js';
import { action, type Command, EXIT } from '../command.js';
import { type Column, table } from '../show/table.js';
import { type EffectiveValue, effectiveValues } from './effective-values.js';

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
