import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { parseConfig } from '../src/platform/config.js';
import { FIELDS } from '../src/platform/config-fields.js';
import { renderConfigurationPage, renderEnvExample } from './render-configuration.js';

it('.env.example lists exactly the variables of the program (vitest -u writes it)', async () => {
  await expect(renderEnvExample()).toMatchFileSnapshot('../.env.example');
});

it('docs/configuration.md describes exactly the variables of the program (vitest -u writes it)', async () => {
  await expect(renderConfigurationPage()).toMatchFileSnapshot('../docs/configuration.md');
});

it('writes an .env.example that a copy of it can start with, without changing a default', () => {
  const example = parseEnv(renderEnvExample());
  expect(Object.keys(example).toSorted()).toEqual(FIELDS.map(({ name }) => name).toSorted());
  expect(parseConfig(example)).toEqual({ ...parseConfig({}), portGiven: true });
});
