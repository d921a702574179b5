import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { parseConfig } from '../../src/platform/config.js';
import { DEPLOY, textOf, unservedQueues } from './deploy-files.js';

const Labels = z.record(z.string(), z.string());
const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal('http') }) });
const Container = z.object({
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  envFrom: z.array(z.record(z.string(), z.object({ name: z.string() }))),
  startupProbe: Probe,
  livenessProbe: Probe,
  readinessProbe: Probe,
  resources: z.object({ requests: Labels, limits: z.object({ memory: z.string() }) }),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
});
const Deployment = z.object({
  kind: z.literal('Deployment'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    replicas: z.int().optional(),
    selector: z.object({ matchLabels: Labels }),
    strategy: z.object({ rollingUpdate: z.object({ maxUnavailable: z.literal(0), maxSurge: z.literal(1) }) }),
    template: z.object({
      metadata: z.object({ labels: Labels }),
      spec: z.object({
        terminationGracePeriodSeconds: z.int(),
        securityContext: z.object({ runAsNonRoot: z.literal(true), runAsUser: z.literal(1000) }),
        containers: z.tuple([Container]),
      }),
    }),
  }),
});
const Thing = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) });

/** As a cluster gets them. */
function rendered(folder: string) {
  const yaml = execFileSync('kubectl', ['kustomize', join(DEPLOY, 'kubernetes', folder)], { encoding: 'utf8' });
  const things = parseAllDocuments(yaml).map((document) => Thing.parse(document.toJS()));
  const of = <T extends z.ZodType>(kind: string, shape: T): z.infer<T>[] =>
    things.filter((thing) => thing.kind === kind).map((thing) => shape.parse(thing));
  return { things, of, deployments: of('Deployment', Deployment) };
}

const CLOSE_MS = 10_000;
const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;
const title = 'deploy/kubernetes';

describe.skipIf(!hasKubectl)(hasKubectl ? title : `${title}: no kubectl, which puts the files together`, () => {
  const secret = z.object({ stringData: Labels }).parse(parse(textOf('deploy/kubernetes/base/secret.example.yaml')));
  const ConfigMap = z.object({ metadata: z.object({ name: z.string() }), data: Labels });

  it('gives each role a deployment with variables that Millrace reads and values that it accepts', () => {
    const { deployments, of } = rendered('base');
    const known = Object.keys(parseEnv(textOf('.env.example')));
    const roles = deployments.map(({ spec }) => {
      const [{ env }] = spec.template.spec.containers;
      const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      const given: Record<string, string> = { ...of('ConfigMap', ConfigMap)[0]?.data, ...secret.stringData, ...own };
      expect(Object.keys(given).filter((name) => !known.includes(name))).toEqual([]);
      const config = parseConfig(given);
      const needed = config.drainMs + config.shutdownMs + CLOSE_MS;
      expect(spec.template.spec.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(needed);
      return [...config.roles].join();
    });
    expect(roles).toEqual(['api', 'scheduler', 'worker']);
  });

  it('asks the addresses that tell whether a process lives and is ready', () => {
    for (const { spec } of rendered('base').deployments) {
      const [{ startupProbe, livenessProbe, readinessProbe }] = spec.template.spec.containers;
      const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path);
      expect(paths).toEqual(['/health/live', '/health/live', '/health/ready']);
    }
  });

  it('keeps one of each role while machines are emptied, and sends requests to the API alone', () => {
    const { deployments, of } = rendered('base');
    const Budget = z.object({ spec: z.object({ selector: z.object({ matchLabels: Labels }) }) });
    const kept = of('PodDisruptionBudget', Budget).map(({ spec }) => spec.selector.matchLabels);
    expect(kept).toEqual(deployments.map(({ spec }) => spec.template.metadata.labels));
    expect(deployments.map(({ spec }) => spec.selector.matchLabels)).toEqual(kept);
    expect(deployments.every(({ spec }) => (spec.replicas ?? 0) > 1)).toBe(true);
    const [service] = of('Service', z.object({ spec: z.object({ selector: Labels }) }));
    expect(service?.spec.selector).toEqual(deployments[0]?.spec.template.metadata.labels);
  });

  it('has an overlay with a deployment for each platform, which together serve every queue', () => {
    const { deployments, of } = rendered('per-platform');
    const queues = deployments.map(({ spec }) => {
      const [{ env }] = spec.template.spec.containers;
      return env.find(({ name }) => name === 'MILLRACE_QUEUES')?.value;
    });
    const served = queues.filter((value) => value !== undefined);
    expect(unservedQueues(served)).toEqual([]);
    expect(new Set(served).size).toBe(deployments.length - 2);
    const selectors = deployments.map(({ spec }) => JSON.stringify(spec.selector.matchLabels));
    expect(new Set(selectors).size).toBe(deployments.length);
    const names = deployments.flatMap(({ spec }) => spec.template.spec.containers[0].envFrom[0]?.configMapRef?.name);
    expect(new Set(names)).toEqual(new Set([of('ConfigMap', ConfigMap)[0]?.metadata.name]));
  });

  it('lets an overlay change image and address, and hands the number of workers to KEDA', () => {
    const { deployments, things, of } = rendered('example');
    expect(deployments.map(({ spec }) => spec.replicas)).toEqual([2, 2, undefined]);
    const [configMap] = of('ConfigMap', ConfigMap);
    expect(configMap?.data.MILLRACE_PUBLIC_URL).toMatch(/^https:/);
    const names = deployments.flatMap(({ spec }) => spec.template.spec.containers[0].envFrom[0]?.configMapRef?.name);
    expect(new Set(names)).toEqual(new Set([configMap?.metadata.name]));
    const Scaled = z.object({ spec: z.object({ scaleTargetRef: z.object({ name: z.string() }) }) });
    expect(of('ScaledObject', Scaled).map(({ spec }) => spec.scaleTargetRef.name)).toEqual(['millrace-worker']);
    expect(things.filter(({ metadata }) => metadata.namespace !== 'millrace').map(({ kind }) => kind)).toEqual([
      'Namespace',
    ]);
  });
});
