import { expect, it } from 'vitest';
import { tracesAddress } from './traces-address.js';

it.each([
  ['http://collector:4318', 'http://collector:4318/v1/traces'],
  ['http://collector:4318/', 'http://collector:4318/v1/traces'],
  ['https://traces.example/otlp/', 'https://traces.example/otlp/v1/traces'],
])('sends the traces for %s to %s', (base, address) => {
  expect(tracesAddress(base)).toBe(address);
});
