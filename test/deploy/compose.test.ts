import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseConfig } from '../../src/platform/config.js';
import { DEPLOY, textOf, unservedQueues } from './deploy-files.js';

const Service = z.object({
  image: z.string().optional(),
  build: z.union([z.string(), z.object({ context: z.string(), dockerfile: z.string() })]).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  security_opt: z.array(z.string()),
  cap_drop: z.array(z.string()),
  profiles: z.array(z.string()).default([]),
  deploy: z.object({ replicas: z.int() }).optional(),
});

const secrets = parseEnv(execFileSync('sh', [join(DEPLOY, 'new-secrets.sh')], { encoding: 'utf8' }));

/** As compose fills in `${NAME:-default}` and `${NAME:?what to do}`. */
function filledIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.replaceAll(/(?<!\$)\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name, kind, rest) => {
    const secret = secrets[name] ?? (kind === '-' ? rest : undefined);
    if (secret === undefined) throw new Error(`new-secrets.sh does not make ${name}`);
    return secret;
  });
}

const { services } = z
  .object({ services: z.record(z.string(), Service) })
  .parse(parse(textOf('deploy/compose.yaml'), (_key, value) => filledIn(value), { merge: true }));
const environmentOf = (service: string) => services[service]?.environment ?? {};
const names = Object.keys(services);

describe('deploy/compose.yaml', () => {
  it('is a fleet: one API, two workers, what they stand on, and what watches them', () => {
    const always = names.filter((name) => services[name]?.profiles.length === 0);
    expect(always).toEqual(['api', 'worker', 'postgres', 'redis', 'rabbitmq', 'prometheus', 'grafana']);
    expect(services.worker?.deploy?.replicas).toBe(2);
  });

  it.each(['api', 'worker'])('gives %s only variables that Millrace reads, with values that it accepts', (service) => {
    const known = Object.keys(parseEnv(textOf('.env.example')));
    expect(Object.keys(environmentOf(service)).filter((name) => !known.includes(name))).toEqual([]);
    parseConfig(environmentOf(service));
  });

  it('has every role', () => {
    const roles = ['api', 'worker'].flatMap((service) => [...parseConfig(environmentOf(service)).roles]);
    expect(roles.sort()).toEqual(['api', 'scheduler', 'worker']);
  });

  it.each(['instagram', 'twitter'])(
    'gives the worker for %s only variables that docs/workers.md explains',
    (worker) => {
      const given = Object.keys(environmentOf(worker));
      expect(given).toContain('RABBITMQ_URL');
      expect(given.filter((name) => !textOf('docs/workers.md').includes(`\`${name}\``))).toEqual([]);
    },
  );

  it('lets all of them meet at one broker', () => {
    const urls = ['api', 'worker', 'instagram', 'twitter'].map((service) => environmentOf(service).RABBITMQ_URL);
    expect(new Set(urls).size).toBe(1);
  });

  it.each(names)('gives %s no rights that it does not need, and opens it to this machine at most', (name) => {
    const { security_opt, cap_drop, ports = [] } = services[name] ?? {};
    expect({ security_opt, cap_drop }).toEqual({ security_opt: ['no-new-privileges:true'], cap_drop: ['ALL'] });
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('refers to files that are there', () => {
    const mounted = names.flatMap((name) => services[name]?.volumes ?? []).filter((volume) => volume.startsWith('./'));
    const built = names.flatMap((name) => {
      const build = services[name]?.build;
      if (!build) return [];
      return typeof build === 'string' ? [`${build}/Dockerfile`] : [`${build.context}/${build.dockerfile}`];
    });
    const files = [...mounted.map((volume) => volume.split(':')[0] ?? ''), ...built];
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((file) => !existsSync(join(DEPLOY, file)))).toEqual([]);
  });
});

describe('deploy/compose.platforms.yaml', () => {
  const Override = z.strictObject({
    extends: z.strictObject({ file: z.literal('compose.yaml'), service: z.literal('worker') }).optional(),
    environment: z.strictObject({ MILLRACE_QUEUES: z.string() }),
    deploy: z.strictObject({ replicas: z.int() }).optional(),
  });
  const overrides = z
    .object({ services: z.record(z.string(), Override) })
    .parse(parse(textOf('deploy/compose.platforms.yaml'))).services;

  it('has processes for each platform and for the rest, which together serve every queue', () => {
    expect(unservedQueues(Object.values(overrides).map(({ environment }) => environment.MILLRACE_QUEUES))).toEqual([]);
    for (const [name, { extends: base, environment }] of Object.entries(overrides)) {
      if (name === 'worker') continue;
      expect([base?.service, environment.MILLRACE_QUEUES]).toEqual(['worker', name]);
    }
  });
});
