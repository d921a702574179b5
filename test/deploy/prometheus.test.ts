import { execFileSync } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { entranceOf, startDemo } from '../program/demo-process.js';
import { alertRules, DEPLOY, dashboards, scalingQueries } from './deploy-files.js';
import { expressionParts } from './expression-parts.js';
import { describeWithPrometheus, promtool, startPrometheus } from './prometheus.js';

const WAIT_OPTIONS = { timeout: 120_000, interval: 1_000 };

const check = (...args: string[]) => execFileSync(promtool(), args, { cwd: `${DEPLOY}/prometheus`, encoding: 'utf8' });

/** As Grafana does it for a panel that shows the last hour. */
const filledIn = (expression: string) => expression.replaceAll('$__rate_interval', '1m');

/** Every expression that somebody or something relies on, by where it stands. */
function expressions(): Map<string, string> {
  const ofRules = alertRules().flatMap(({ alert, expr }) =>
    expressionParts(expr).map((part, at) => [`rule ${alert} ${at}`, part] as const),
  );
  const ofPanels = dashboards().flatMap(([file, { panels }]) =>
    panels.flatMap(({ id, title, targets }) =>
      targets.map(({ expr, refId }) => [`${file} ${id}${refId}: ${title}`, filledIn(expr)] as const),
    ),
  );
  return new Map([...ofRules, ...ofPanels, ...scalingQueries()]);
}

describeWithPrometheus('what deploy/ gives to Prometheus and Grafana', () => {
  it('is accepted by Prometheus itself, and its rules fire when they should', () => {
    // Only the name of the key file is known here.
    check('check', 'config', '--syntax-only', 'prometheus.yml');
    check('check', 'rules', 'alerts.yml');
    check('test', 'rules', 'alerts.test.yml');
  });

  it('returns data for every expression when a Millrace is at work', { timeout: 240_000 }, async () => {
    const { demo } = startDemo(onTestFinished);
    const prometheus = await startPrometheus(await entranceOf(demo), onTestFinished);

    const silent = expressions();
    const stillSilent = async () => {
      for (const [name, expression] of silent)
        if ((await prometheus.numbers(expression)).length > 0) silent.delete(name);
      return [...silent];
    };
    await expect.poll(stillSilent, WAIT_OPTIONS).toEqual([]);
    expect(await prometheus.failingRules()).toEqual([]);
  });
});
