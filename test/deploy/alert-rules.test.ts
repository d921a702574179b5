import { describe, expect, it } from 'vitest';
import { alertRules, textOf } from './deploy-files.js';

const operations = textOf('docs/operations.md');
const anchors = new Set(
  [...operations.matchAll(/^#{2,4} (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  ),
);

describe.each(alertRules().map((rule) => [rule.alert, rule] as const))('the rule %s', (name, rule) => {
  it('is shown to fire in alerts.test.yml', () => {
    expect(textOf('deploy/prometheus/alerts.test.yml')).toContain(`alertname="${name}"`);
  });

  it('says where to read on, which is there', () => {
    const [file, anchor = ''] = rule.annotations.runbook.split('#');
    expect(file).toBe('docs/operations.md');
    expect([...anchors]).toContain(anchor);
  });
});

/** Those that Millrace itself can raise; another test keeps this table equal to them. */
const [, table = ''] = operations.split('| alert | when | do |\n|---|---|---|\n');
const codes = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)`/gm)].map(([, code = '']) => code);

it('there is a section for each alert that Millrace itself can raise', () => {
  expect(codes).toEqual(expect.arrayContaining(['dependency_down', 'sources_stale', 'accounts_broken']));
  expect(codes.filter((code) => !anchors.has(code))).toEqual([]);
});

it('a rule that says the same as an alert of Millrace names its code', () => {
  const named = alertRules().flatMap(({ labels }) => labels.code ?? []);
  expect(named.filter((code) => !codes.includes(code))).toEqual([]);
});
