import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import '../../src/app.module.js';
import { type AlertKind, allAlerts } from '../../src/platform/health/alert-catalogue.js';

const ROW = /^\| `\w+`.* \|.*\|.*\|$/;

function rowOf({ code, severities, when, todo }: AlertKind): string {
  const always = severities.length === 1 && severities[0] === 'critical' ? ' (critical)' : '';
  return `| \`${code}\`${always} | ${when} | ${todo} |`;
}

it('documents every alert that there is, and no other', async () => {
  const text = await readFile('docs/operations.md', 'utf8');
  const [, table = ''] = text.split('| alert | when | do |\n|---|---|---|\n');
  const rows = table.split('\n\n')[0]?.split('\n') ?? [];
  expect(rows.filter((row) => ROW.test(row)).toSorted()).toEqual(allAlerts().map(rowOf).toSorted());
});
