import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import '../../src/app.module.js';
import { fetchJobs } from '../../src/fetching/run/fetch-jobs.js';
import { askHubJob } from '../../src/fetching/websub/ask-hub.job.js';
import { parseConfig } from '../../src/platform/config.js';
import { allJobs } from '../../src/platform/jobs/job-catalogue.js';
import { runsQueue } from '../../src/platform/jobs/job-handler.js';
import { publishJobs } from '../../src/publishing/sending/publish-jobs.js';
import { ROOT } from '../program/millrace-process.js';
import { noteJob, taskJob } from '../queue/tasks.js';

export const DEPLOY = join(ROOT, 'deploy');
export const RULES_FILE = join(DEPLOY, 'prometheus/alerts.yml');

export const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const Rule = z.object({
  alert: z.string(),
  expr: z.string(),
  labels: z.object({ severity: z.enum(['warning', 'critical']), code: z.string().optional() }),
  annotations: z.strictObject({ summary: z.string(), description: z.string(), runbook: z.string() }),
});
export type Rule = z.infer<typeof Rule>;
const Rules = z.object({ groups: z.array(z.object({ rules: z.array(Rule) })) });

export const alertRules = (): Rule[] =>
  Rules.parse(parse(readFileSync(RULES_FILE, 'utf8'))).groups.flatMap(({ rules }) => rules);

const Scaling = z.object({
  spec: z.object({ triggers: z.array(z.object({ name: z.string(), metadata: z.object({ query: z.string() }) })) }),
});

/** The query by which KEDA decides how many workers to run. */
export const scalingQueries = (): [string, string][] =>
  Scaling.parse(parse(textOf('deploy/kubernetes/components/keda/scaled-object.yaml'))).spec.triggers.map(
    ({ name, metadata }) => [`scaling by ${name}`, metadata.query],
  );

/** Returns the names of the queues that processes with these values of `MILLRACE_QUEUES` leave out. */
export function unservedQueues(values: string[]): string[] {
  const processes = values.map((value) => parseConfig({ MILLRACE_QUEUES: value }));
  const config = parseConfig({});
  const described = [...fetchJobs(config).values(), ...publishJobs.values(), askHubJob];
  const isOfMillrace = ({ name }: { name: string }) => name !== taskJob.name && name !== noteJob.name;
  const names = [...allJobs(), ...described].filter(isOfMillrace).map(({ name }) => name);
  return names.filter((name) => !processes.some((process) => runsQueue(process, name)));
}

const Target = z.object({ expr: z.string(), refId: z.string() });
const Panel = z.object({
  id: z.int(),
  type: z.string(),
  title: z.string(),
  gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
  targets: z.array(Target).default([]),
});
export const Dashboard = z.object({
  uid: z.string(),
  title: z.string(),
  schemaVersion: z.int(),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
  panels: z.array(Panel),
});
export type Dashboard = z.infer<typeof Dashboard>;

/** Returns each document with the name of its file. */
export function dashboards(): [string, Dashboard][] {
  const folder = join(DEPLOY, 'grafana');
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.map((name) => [name, Dashboard.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')))]);
}
