import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runMillraceCommand } from '../../test/cli/run-millrace-command.js';
import { ROOT } from '../../test/program/millrace-process.js';
import { VERSION } from '../platform/process/version.js';
import { COMMANDS } from './commands.js';

const SPECIFIED =
  'start demo sign-in app-passwords follow unfollow sources feed import scrape publish dead-letters queues runs hosts health restore-check config conform bench';
const PLACES = COMMANDS.flatMap(({ name, actions }) => actions.map(({ word }) => (word ? [name, word] : [name])));

describe('millrace', () => {
  it('has the commands that it promises', () => {
    expect(COMMANDS.map(({ name }) => name)).toEqual([...SPECIFIED.split(' '), 'completion']);
  });

  it('lists its commands when asked for help', async () => {
    const { code, out, err } = await runMillraceCommand(['--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const { name, summary } of COMMANDS) expect(out.split('\n')).toContain(`  ${name.padEnd(13)}  ${summary}`);
  });

  it('does the same, as an error, without arguments', async () => {
    const { code, out, err } = await runMillraceCommand([]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe((await runMillraceCommand(['-h'])).out);
  });

  it('prints its version', async () => {
    expect(await runMillraceCommand(['--version'])).toEqual({ code: 0, out: `${VERSION}\n`, err: '' });
  });

  it.each([
    [
      ['confrom', 'fetch.x'],
      'millrace: Unknown command `confrom`. Did you mean `conform`?\nRun `millrace --help` to list',
    ],
    [['sorces'], 'millrace: Unknown command `sorces`. Did you mean `sources`?'],
    [['quux'], 'millrace: Unknown command `quux`.\n'],
    [
      ['publish', 'lits'],
      'millrace publish: Unknown subcommand `lits`. Did you mean `list`?\nUsage: millrace publish ',
    ],
    [['sources', '--stat', 'failing'], 'Unknown option `--stat`. Did you mean `--state`?\nUsage: millrace sources '],
    [['unfollow'], 'millrace unfollow: Missing argument <id|url>.\nUsage: millrace unfollow <id|url…> [options]\n'],
  ])('reports %j as unknown, with a suggestion', async (args, complaint) => {
    const { code, out, err } = await runMillraceCommand(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(complaint);
  });

  it.each(PLACES)('helps with %s %s', async (...place) => {
    const { code, out } = await runMillraceCommand([...place, '--help']);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^Usage: millrace ${place[0]}`));
    expect(out).not.toContain('undefined');
  });

  it('ends without a stack when nobody reads what it prints', async () => {
    const program = spawn(process.execPath, [`${ROOT}/scripts/millrace.mjs`, '--help'], { stdio: 'pipe' });
    onTestFinished(() => void program.kill());
    program.stdout.destroy();
    let complaint = '';
    program.stderr.setEncoding('utf8').on('data', (text) => (complaint += text));
    const [code] = await once(program, 'close');
    expect(code).toBe(141);
    expect(complaint).not.toContain('EPIPE');
  });

  it('has no two commands of one name, and none with two words of one name', () => {
    const places = PLACES.map((place) => place.join(' '));
    expect(new Set(places).size).toBe(places.length);
  });
});
