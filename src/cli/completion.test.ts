import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { runMillraceCommand } from '../../test/cli/run-millrace-command.js';
import { COMMANDS } from './commands.js';

const LINES = [
  ['millrace', 'so'],
  ['millrace', 'sources', ''],
  ['millrace', 'sources', '--stat'],
  ['millrace', 'sources', '--state', ''],
  ['millrace', 'sources', 'export', '--u'],
  ['millrace', 'publish', 'list', '--status', 'publ'],
  ['millrace', 'publish', '--text', 'list', '--wat'],
  ['millrace', 'follow', ''],
  ['millrace', 'completion', ''],
];
const TRY = `try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _millrace; echo "\${COMPREPLY[*]}"; }`;

it('lets bash complete commands, words, options and their values', async () => {
  const { code, out } = await runMillraceCommand(['completion', 'bash']);
  expect(code).toBe(0);
  const tries = LINES.map((words) => `try ${words.map((word) => `'${word}'`).join(' ')}`);
  const { stdout } = await promisify(execFile)('bash', ['-c', [out, TRY, ...tries].join('\n')]);
  expect(stdout.trimEnd().split('\n')).toEqual([
    'sources',
    'fetches export import',
    '--state',
    'active paused failing gone ok waiting',
    '--url',
    'publishing published',
    '--watch',
    '',
    'bash zsh fish',
  ]);
});

it.each(['bash', 'zsh', 'fish'])('offers every command to %s', async (shell) => {
  const { code, out } = await runMillraceCommand(['completion', shell]);
  expect(code).toBe(0);
  for (const { name } of COMMANDS) expect(out).toContain(name);
});

it('refuses other shells', async () => {
  const { code, err } = await runMillraceCommand(['completion', 'csh']);
  expect(code).toBe(2);
  expect(err).toContain('<shell> must be bash, zsh or fish, not `csh`.');
});
