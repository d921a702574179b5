import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { adaptive } from '../../src/fetching/intervals/interval-rules.js';
import { tiers } from '../../src/fetching/intervals/tiers.js';
import type { Measurement } from '../report.js';
import { hiddenPlans } from './hidden.js';
import { makeWorld } from './make-world.js';
import { measured, measuredTogether } from './measured.js';
import { PLANS } from './plans.js';
import { type Outcome, simulate } from './simulation.js';
import { BadTrace, readTrace, traceOf } from './trace.js';

const USAGE = `Usage: npm run bench freshness [-- [--world NAME] [--sources N]]
       npm run bench freshness -- --hidden SEED [--worlds N] [--sources N]
       npm run bench freshness -- --trace FILE [--json]
       npm run bench freshness -- --world NAME --out FILE
Worlds: ${PLANS.map(({ name }) => name).join('; ')}
`;

/**
 * Measures how fresh the adaptive policy keeps sources compared with the tiers, with the engine's own rules over
 * simulated weeks.
 */
export async function run(args: string[] = []): Promise<Measurement[] | undefined> {
  const options = optionsOf(args);
  if (options.trace) await runTrace(fromCaller(options.trace), options.json);
  else if (options.world && options.out) await writeWorld(options.world, fromCaller(options.out));
  else if (options.hidden) return measuredTogether(plansOf(options));
  else return plansOf(options).flatMap(measured);
  return undefined;
}

/** Paths are relative to where npm was called, because npm runs programs in the package's folder. */
const fromCaller = (file: string) => resolve(process.env.INIT_CWD ?? '.', file);

function optionsOf(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    const json = { type: 'boolean', default: false } as const;
    const options = { trace: text, world: text, out: text, sources: text, hidden: text, worlds: text, json };
    return parseArgs({ args, options }).values;
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

interface Selection {
  world?: string;
  sources?: string;
  hidden?: string;
  worlds?: string;
}

/** Selects all named worlds, one of them, or worlds that are planned from a seed, with a maximum number of sources. */
function plansOf({ world, hidden, sources, worlds = '10' }: Selection) {
  const most = sources === undefined ? Infinity : numberOf('sources', sources);
  const plans = hidden ? hiddenPlans(numberOf('hidden', hidden), numberOf('worlds', worlds)) : PLANS;
  return (world ? [planOf(world)] : plans).map((plan) => ({ ...plan, sources: Math.min(plan.sources, most) }));
}

function numberOf(option: string, value: string): number {
  const number = Math.floor(Number(value));
  return number >= 1 ? number : fail(`--${option} is a number from 1 on.\n${USAGE}`);
}

const planOf = (name: string) =>
  PLANS.find((one) => one.name === name) ?? fail(`There is no world "${name}".\n${USAGE}`);

async function runTrace(file: string, json: boolean): Promise<void> {
  const world = await readTrace(file).catch((error) => {
    if (error instanceof BadTrace || error.code === 'ENOENT') return fail(`${error.message}\n`);
    throw error;
  });
  const policies = [tiers, adaptive].map((policy) => ({ policy: policy.name, ...simulate(world, { policy }) }));
  if (json) process.stdout.write(`${JSON.stringify({ policies: policies.map(withoutDetails) })}\n`);
  else process.stdout.write(tableOf(policies));
}

function withoutDetails({ policy, requests, meanDelaySeconds, p95DelaySeconds, requestsPerPost }: Named) {
  return { policy, requests, meanDelaySeconds, p95DelaySeconds, requestsPerPost };
}

type Named = Outcome & { policy: string };

function tableOf(policies: Named[]): string {
  const rows = policies.map(({ policy, requests, meanDelaySeconds, p95DelaySeconds, requestsPerPost, lost }) => [
    policy,
    `${requests}`,
    minutes(meanDelaySeconds),
    minutes(p95DelaySeconds),
    requestsPerPost.toFixed(2),
    `${lost}`,
  ]);
  const table = [['policy', 'requests', 'mean delay', 'p95', 'requests per post', 'posts lost'], ...rows];
  return `${table
    .map((row) =>
      row
        .map((cell) => cell.padEnd(18))
        .join('')
        .trimEnd(),
    )
    .join('\n')}\n`;
}

const minutes = (seconds: number) => `${(seconds / 60).toFixed(2)} min`;

async function writeWorld(name: string, file: string): Promise<void> {
  await writeFile(
    file,
    [...traceOf(makeWorld(planOf(name)))].map((line) => `${line}\n`),
  );
}

function fail(message: string): never {
  process.stderr.write(message);
  process.exit(2);
}
