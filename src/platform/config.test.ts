import { expect, it } from 'vitest';
import { parseConfig } from './config.js';

it('reports every mistake at once, naming variable, value and what is accepted', () => {
  const mistakes = () => parseConfig({ PORT: 'abc', MILLRACE_ROLES: 'api,cook', MILLRACE_LOG_LEVEL: 'loud' });
  expect(mistakes).toThrow(/3 mistakes/);
  expect(mistakes).toThrow(/PORT: got "abc", accepted is a whole number from 0 to 65535/);
  expect(mistakes).toThrow(
    /MILLRACE_ROLES: got "api,cook", accepted is a comma-separated list of api, scheduler, worker/,
  );
});
