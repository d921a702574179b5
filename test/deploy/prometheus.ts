import { mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, inject, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { findFreePort } from '../../src/platform/database/embedded/free-port.js';
import { thisMachine } from '../harness/servers/machine.js';
import { prometheusServer } from '../harness/servers/prometheus-server.js';
import { whyNoPrometheus } from '../harness/servers/server-choice.js';
import { RULES_FILE, textOf } from './deploy-files.js';

const machine = thisMachine();
const program = machine.given('prometheus') ?? machine.installed('prometheus');

/** Like `describe`, but skipped with the reason if Prometheus is not available. */
export function describeWithPrometheus(name: string, tests: () => void): void {
  if (program) describe(name, tests);
  else it.skip(`${name}: ${whyNoPrometheus()}`, () => undefined);
}

function prometheusProgram(): string {
  if (!program) throw new Error(whyNoPrometheus());
  return program;
}

export const promtool = () => join(dirname(prometheusProgram()), 'promtool');

export interface Scraped {
  /** `http://host:port` */
  readonly address: string;
  readonly key: string;
}

const Rules = z.object({
  data: z.object({ groups: z.array(z.object({ rules: z.array(z.object({ name: z.string(), health: z.string() })) })) }),
});
const Answer = z.object({
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
});

/** Uses the configuration of deploy/ with other targets and intervals. `keep` receives the function that stops it. */
export async function startPrometheus({ address, key }: Scraped, keep: (end: () => Promise<void>) => void) {
  const folder = mkdtempSync(join(inject('runFolder'), 'prometheus-'));
  const configFile = join(folder, 'prometheus.yml');
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, key, { mode: 0o600 });
  const { dns_sd_configs, relabel_configs, ...scrape } = parse(textOf('deploy/prometheus/prometheus.yml'))
    .scrape_configs[0];
  const config = {
    global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '2s' },
    rule_files: [RULES_FILE],
    scrape_configs: [
      {
        ...scrape,
        authorization: { credentials_file: keyFile },
        static_configs: [{ targets: [new URL(address).host], labels: { role: 'api' } }],
      },
    ],
  };
  writeFileSync(configFile, stringify(config));
  const port = await findFreePort();
  const server = prometheusServer({ program: prometheusProgram(), folder, port, configFile });
  await server.start();
  keep(() => server.kill());
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json();

  return {
    /** Returns the current values of an expression. */
    async numbers(expression: string): Promise<number[]> {
      const answer = await get(`query?query=${encodeURIComponent(expression)}`);
      const { data } = Answer.parse(answer, { error: () => `${expression}: ${JSON.stringify(answer)}` });
      return data.result.map(({ value }) => Number(value[1])).filter((number) => !Number.isNaN(number));
    },
    /** Returns the rules that Prometheus could not evaluate. */
    async failingRules(): Promise<string[]> {
      const { groups } = Rules.parse(await get('rules')).data;
      const rules = groups.flatMap((group) => group.rules);
      return rules.filter(({ health }) => health !== 'ok').map(({ name }) => name);
    },
  };
}
