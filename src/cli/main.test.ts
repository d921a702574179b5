import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runMillraceCommand } from '../../test/cli/run-millrace-command.js';
import { ROOT } from '../../test/program/millrace-process.js';
import { COMMANDS } from './commands.js';

describe('millrace', () => {
  it('lists its commands when asked for help', async () => {
    const { code, out, err } = await runMillraceCommand(['--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const { name, summary } of COMMANDS) expect(out).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
  });

  it('does the same, as a complaint, when told nothing', async () => {
    const { code, out, err } = await runMillraceCommand([]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe((await runMillraceCommand(['-h'])).out);
  });

  it('says that it does not know a command, and which there are', async () => {
    const { code, out, err } = await runMillraceCommand(['confrom', 'fetch.x']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^millrace: there is no command confrom\n\nUsage: .*\n\n {2}conform /);
  });

  it.each(COMMANDS.map(({ name }) => name))('helps with %s', async (name) => {
    const { code, out } = await runMillraceCommand([name, '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`Usage: millrace ${name} `);
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

  it('has no two commands of one name', () => {
    expect(new Set(COMMANDS.map(({ name }) => name)).size).toBe(COMMANDS.length);
  });
});
