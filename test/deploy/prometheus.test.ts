import { execFileSync } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { ownRabbitmq } from '../harness/rabbitmq.js';
import { entranceOf, startDemo } from '../program/demo-process.js';
import { startMillrace } from '../program/millrace-process.js';
import { newDatabase } from '../program/new-database.js';
import { alertRules, DEPLOY, dashboards, scalingQueries } from './deploy-files.js';
import { expressionParts } from './expression-parts.js';
import { describeWithPrometheus, promtool, startPrometheus } from './prometheus.js';

const WAIT_OPTIONS = { timeout: 120_000, interval: 1_000 };

const check = (...args: string[]) => execFileSync(promtool(), args, { cwd: `${DEPLOY}/prometheus`, encoding: 'utf8' });

const isAboutRabbitmq = (expression: string) => expression.includes('millrace_rabbitmq_');

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

  const rabbitmq = ownRabbitmq({ withManagement: true });

  it('returns data for every expression when a Millrace is at work', { timeout: 240_000 }, async () => {
    const { demo } = startDemo(onTestFinished);
    const prometheus = await startPrometheus(await entranceOf(demo), onTestFinished);

    // The demo has no RabbitMQ.
    const silent = new Map([...expressions()].filter(([, expression]) => !isAboutRabbitmq(expression)));
    const stillSilent = async () => {
      for (const [name, expression] of silent)
        if ((await prometheus.numbers(expression)).length > 0) silent.delete(name);
      return [...silent];
    };
    await expect.poll(stillSilent, WAIT_OPTIONS).toEqual([]);
    expect(await prometheus.failingRules()).toEqual([]);
  });

  it('returns data for every expression about RabbitMQ when a Millrace uses one', { timeout: 120_000 }, async () => {
    const key = 'an-admin-key-for-prometheus';
    const millrace = startMillrace({
      DATABASE_URL: await newDatabase(),
      MILLRACE_DATA_DIR: newDataFolder(),
      PORT: '0',
      MILLRACE_ADMIN_KEY: key,
      RABBITMQ_URL: rabbitmq.url,
      RABBITMQ_MANAGEMENT_URL: rabbitmq.managementUrl,
    });
    const prometheus = await startPrometheus({ address: await millrace.address(), key }, onTestFinished);
    const about = [...expressions().values()].filter(isAboutRabbitmq);
    expect(about.length).toBeGreaterThan(3);
    for (const expression of about)
      await expect.poll(() => prometheus.numbers(expression), WAIT_OPTIONS).not.toHaveLength(0);
  });
});
