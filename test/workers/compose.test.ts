import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/platform/config.js';
import { ROOT } from './worker-program.js';

const read = (file: string) => readFileSync(`${ROOT}/${file}`, 'utf8');
const compose = read('compose.yaml');

describe('compose.yaml', () => {
  it('gives Millrace only variables that it reads, with values that it accepts', () => {
    const given = environmentOf('millrace');
    const known = Object.keys(parseEnv(read('.env.example')));
    expect(Object.keys(given).filter((name) => !known.includes(name))).toEqual([]);
    expect(parseConfig(given)).toMatchObject({ rabbitmqUrl: expect.stringMatching(/^amqp:/), host: '0.0.0.0' });
  });

  it.each(['instagram', 'twitter'])(
    'gives the worker for %s only variables that docs/workers.md explains',
    (worker) => {
      const given = Object.keys(environmentOf(worker));
      expect(given).toContain('RABBITMQ_URL');
      expect(given.filter((name) => !read('docs/workers.md').includes(`\`${name}\``))).toEqual([]);
    },
  );

  it('lets all of them meet at one broker', () => {
    const urls = ['millrace', 'instagram', 'twitter'].map((service) => environmentOf(service).RABBITMQ_URL);
    expect(new Set(urls).size).toBe(1);
  });
});

/** The `environment` of a service; two spaces a level, one variable a line. */
function environmentOf(service: string): Record<string, string> {
  const [, block = ''] = compose.split(`\n  ${service}:\n`);
  const [, environment = ''] = /\n {4}environment:\n((?: {6}.*\n)+)/.exec(block) ?? [];
  const entries = [...environment.matchAll(/^ {6}(\w+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
  if (entries.length === 0) throw new Error(`compose.yaml gives ${service} no environment`);
  return Object.fromEntries(entries);
}
